# Targets that write what other build systems need: single, arduino, meson, esp_idf.
# SPDX-License-Identifier: MIT
set(REDIAL_ADDRESS "https://redial.invalid/redial" CACHE STRING
  "The address for git clone, which packages name")
set(REDIAL_MAINTAINER "redial authors <redial@packages.invalid>" CACHE STRING
  "Who makes the packages: Name <mail>")

set(redial_ways ${PROJECT_BINARY_DIR}/package)   # for templates with the version or the address
set(root ${PROJECT_SOURCE_DIR})
set(out ${PROJECT_BINARY_DIR})
set(run ${CMAKE_COMMAND} -E)
set(headers ${root}/include/redial.h ${root}/include/redial_fake.h)   # for boards: no libcurl
file(GLOB sources ${root}/src/*.[ch])

add_custom_target(single
  COMMAND ${CMAKE_COMMAND} -DOUT=${out}/single -P ${root}/src/package/single.cmake
  COMMENT "Writing redial.h, redial.c, redial_fake.h and redial_curl.h to single" VERBATIM)

configure_file(${root}/src/package/arduino/library.properties.in
  ${redial_ways}/library.properties @ONLY)
set(to ${out}/arduino/redial)
add_custom_target(arduino
  COMMAND ${run} rm -rf ${out}/arduino
  COMMAND ${run} make_directory ${to}/src/redial ${to}/examples
  COMMAND ${run} copy ${redial_ways}/library.properties ${root}/LICENSE ${to}
  COMMAND ${run} copy ${headers} ${to}/src            # every sketch and library sees these
  COMMAND ${run} copy ${sources} ${to}/src/redial
  COMMAND ${run} copy_directory ${root}/examples/sensor ${to}/examples/sensor
  COMMAND ${run} chdir ${out}/arduino ${run} tar cf redial-${redial_version}.zip --format=zip redial
  COMMENT "Writing the library arduino/redial and arduino/redial-${redial_version}.zip" VERBATIM)

configure_file(${root}/src/package/meson/redial.wrap.in ${redial_ways}/redial.wrap @ONLY)
add_custom_target(meson
  COMMAND ${run} rm -rf ${out}/meson
  COMMAND ${run} make_directory ${out}/meson/packagefiles/redial
  COMMAND ${run} copy ${redial_ways}/redial.wrap ${out}/meson
  COMMAND ${run} copy ${root}/src/package/meson/meson.build ${out}/meson/packagefiles/redial
  COMMENT "Writing meson, for subprojects of your project; it clones ${REDIAL_ADDRESS}" VERBATIM)

configure_file(${root}/src/package/esp_idf/idf_component.yml.in
  ${redial_ways}/idf_component.yml @ONLY)
set(to ${out}/esp_idf/redial)
add_custom_target(esp_idf
  COMMAND ${run} rm -rf ${out}/esp_idf
  COMMAND ${run} make_directory ${to}
  COMMAND ${run} copy ${redial_ways}/idf_component.yml ${root}/CMakeLists.txt ${root}/LICENSE ${to}
  COMMAND ${run} copy_directory ${root}/include ${to}/include
  COMMAND ${run} copy_directory ${root}/src ${to}/src
  COMMENT "Writing the component esp_idf/redial" VERBATIM)
