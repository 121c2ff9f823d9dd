"""configure.py MODULE OUT [OPTION...]: what Zephyr does with a module, in short.

Reads zephyr/module.yml of the folder MODULE, and writes OUT/module.cmake: where the module's CMakeLists.txt is, and
what its Kconfig makes of the options that somebody sets. SPDX-License-Identifier: MIT
"""
import os
import sys

import kconfiglib
import yaml

module, out, options = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(os.path.join(module, "zephyr/module.yml")) as file:
    meta = yaml.safe_load(file)
assert meta["name"] == "redial" and set(meta) == {"name", "build"}, meta
assert set(meta["build"]) <= {"cmake", "kconfig"}, meta

os.environ["MODULE"] = os.path.join(module, meta["build"]["kconfig"])
kconfig = kconfiglib.Kconfig(os.path.join(os.path.dirname(__file__), "Kconfig"), suppress_traceback=True)
assert not kconfig.warnings, kconfig.warnings
assert "REDIAL" in kconfig.syms, "the module's Kconfig is not there"
for option in options:
    kconfig.syms[option].set_value(2)
with open(os.path.join(out, "module.cmake"), "w") as file:
    for symbol in kconfig.unique_defined_syms:
        file.write("set(CONFIG_%s %s)\n" % (symbol.name, symbol.str_value))
    file.write("set(module %s)\n" % os.path.join(module, meta["build"]["cmake"]))
