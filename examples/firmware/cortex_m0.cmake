# A toolchain file of CMake: gcc for a Cortex-M0 without a libc. SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_NAME Generic)   # no operating system: redial leaves out the sources that need one
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)   # a program would need a linker script
set(CMAKE_C_FLAGS_INIT
  "-mcpu=cortex-m0 -mthumb -Os -ffreestanding -fno-tree-loop-distribute-patterns \
-ffunction-sections -fdata-sections")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections")
