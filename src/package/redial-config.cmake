# For find_package(redial CONFIG). It defines redial::redial. SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/redial-targets.cmake)
