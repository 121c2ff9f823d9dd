# The recipe of this repository for Conan 2: `conan create src/package/conan` in a clone of redial.
# For an index of recipes, source() downloads the release. No check of this repository runs this
# file with Conan, which Debian does not have: conan.sh imitates its steps. It was run by hand,
# once, with Conan 2.9 on Linux. SPDX-License-Identifier: MIT
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class Redial(ConanFile):
    name = "redial"
    description = "Exponential backoff and retry for C"
    license = "MIT"
    topics = ("retry", "backoff")
    package_type = "library"
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def from_root(self, *names):
        return os.path.join(self.recipe_folder, "..", "..", "..", *names)

    def set_version(self):   # the header alone contains it
        header = load(self, self.from_root("include", "redial.h"))
        self.version = ".".join(re.findall(r"#define REDIAL_VERSION_\w+ (\d+)", header))

    def export_sources(self):
        for pattern in "CMakeLists.txt", "LICENSE", "include/*", "src/*":
            copy(self, pattern, self.from_root(), self.export_sources_folder,
                 excludes="src/package/conan/*")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["REDIAL_TESTS"] = False
        toolchain.cache_variables["REDIAL_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in "lib/cmake", "lib/pkgconfig":   # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.libs = ["redial"]
        if self.options.shared:
            self.cpp_info.defines = ["REDIAL_SHARED"]
