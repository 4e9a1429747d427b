# gridcast_version.hpp: the version above, and the commit as it is when the code is compiled.
# The commit is asked for at every build and the header only written when the answer changes.

set(version_folder "${PROJECT_BINARY_DIR}/generated")
set(version_header "${version_folder}/gridcast_version.hpp")

add_custom_target(gridcast_version_header
  BYPRODUCTS "${version_header}"
  COMMAND "${CMAKE_COMMAND}"
          -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "VERSION=${PROJECT_VERSION}"
          -D "HEADER=${version_header}" -P "${CMAKE_CURRENT_LIST_DIR}/write_version.cmake"
  VERBATIM)

add_library(gridcast_version INTERFACE)
target_include_directories(gridcast_version INTERFACE "${version_folder}")
add_dependencies(gridcast_version gridcast_version_header)
