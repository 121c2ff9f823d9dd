"""zephyr.py MODULE OUT [OPTION...]: what Zephyr does with a module, in short.

Reads zephyr/module.yml of the folder MODULE, and writes the CMake file OUT: where the module's
CMakeLists.txt is, and what its Kconfig makes of the options that somebody sets.
SPDX-License-Identifier: MIT
"""
import os
import sys

import kconfiglib
import yaml

module, out, options = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(os.path.join(module, "zephyr/module.yml")) as file:
    meta = yaml.safe_load(file)
assert meta["name"] == "redial" and set(meta) == {"name", "build"}, meta
assert set(meta["build"]) == {"cmake", "kconfig"}, meta
with open(out, "w") as file:
    source = os.path.join(module, meta["build"]["kconfig"])
    file.write('config ENTROPY_GENERATOR\n\tbool\n\nsource "%s"\n' % source)
kconfig = kconfiglib.Kconfig(out, suppress_traceback=True)
assert not kconfig.warnings, kconfig.warnings
for option in options:
    kconfig.syms[option].set_value(2)
with open(out, "w") as file:
    for symbol in kconfig.unique_defined_syms:
        file.write("set(CONFIG_%s %s)\n" % (symbol.name, symbol.str_value))
    file.write("set(REDIAL %s)\n" % os.path.join(module, meta["build"]["cmake"]))
