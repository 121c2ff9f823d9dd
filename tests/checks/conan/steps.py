# In short what `conan create` does with a recipe, by Conan's documentation.
#     steps.py RECIPE WORK TYPE [SHARED]     folders; Release or Debug; True or False
# SPDX-License-Identifier: MIT
import fnmatch
import importlib.util
import os
import shutil
import subprocess
import sys
import types

recipe, work, build_type = sys.argv[1:4]


class ConanFile:
    def run(self, command, env):
        subprocess.run(command, shell=True, check=True, cwd=self.build_folder)


class CMakeToolchain:
    def __init__(self, conanfile):
        self.conanfile, self.cache_variables = conanfile, {}

    def generate(self):
        self.conanfile.variables = self.cache_variables


class CMake:
    def __init__(self, conanfile):
        self.conanfile = conanfile

    def cmake(self, *arguments):
        subprocess.run(["cmake", *arguments], check=True)

    def configure(self):
        variables = {"CMAKE_BUILD_TYPE": build_type,
                     "BUILD_SHARED_LIBS": self.conanfile.options.shared,
                     "CMAKE_PREFIX_PATH": work + "/generators", **self.conanfile.variables}
        self.cmake("-S", self.conanfile.source_folder, "-B", self.conanfile.build_folder,
                   *("-D%s=%s" % variable for variable in variables.items()))

    def build(self):
        self.cmake("--build", self.conanfile.build_folder)

    def install(self):
        self.cmake("--install", self.conanfile.build_folder, "--prefix",
                   self.conanfile.package_folder)


def copy(conanfile, pattern, src, dst, excludes=""):
    for folder, _, files in os.walk(src):
        for name in (os.path.relpath(os.path.join(folder, file), src) for file in files):
            if fnmatch.fnmatch(name, pattern) and not fnmatch.fnmatch(name, excludes):
                os.makedirs(os.path.dirname(os.path.join(dst, name)), exist_ok=True)
                shutil.copy(os.path.join(src, name), os.path.join(dst, name))


def module(name, **names):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(names)


def load_recipe(folder, kind, **folders):
    spec = importlib.util.spec_from_file_location(kind, os.path.join(folder, "conanfile.py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    conanfile = getattr(loaded, kind)()
    conanfile.__dict__.update(folders, recipe_folder=folder, variables={})
    options = getattr(conanfile, "default_options", {"shared": False})
    conanfile.options = types.SimpleNamespace(**options)
    if len(sys.argv) > 4:
        conanfile.options.shared = sys.argv[4] == "True"
    conanfile.cpp_info = types.SimpleNamespace(libs=[], defines=[])
    conanfile.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir="."))
    return conanfile


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", can_run=lambda conanfile: True)
module("conan.tools.cmake", CMake=CMake, CMakeToolchain=CMakeToolchain,
       cmake_layout=lambda conanfile: None)
module("conan.tools.files", copy=copy, load=lambda conanfile, path: open(path).read(),
       rmdir=lambda conanfile, path: shutil.rmtree(path, ignore_errors=True))

package = load_recipe(recipe, "Redial", export_sources_folder=work + "/source",
                      source_folder=work + "/source", build_folder=work + "/build",
                      package_folder=work + "/package")
for step in "set_version", "export_sources", "layout", "generate", "build", "package":
    getattr(package, step)()
package.package_info()
print(package.version)

# What CMakeDeps writes: a target with the folders, the libraries and the macros of cpp_info.
os.makedirs(work + "/generators")
with open(work + "/generators/%s-config.cmake" % package.name, "w") as config:
    config.write("""add_library({0}::{0} INTERFACE IMPORTED)
target_include_directories({0}::{0} INTERFACE {1}/include)
target_compile_definitions({0}::{0} INTERFACE {2})
find_library(found {3} PATHS {1}/lib NO_DEFAULT_PATH REQUIRED)
target_link_libraries({0}::{0} INTERFACE ${{found}})
""".format(package.name, package.package_folder, " ".join(package.cpp_info.defines),
           package.cpp_info.libs[0]))
test = load_recipe(recipe + "/test_package", "Test", source_folder=recipe + "/test_package",
                   build_folder=work + "/test")
test.build()
test.test()
