# The language, and one interface target with the options all our own code is compiled with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(GRIDCAST_CCACHE ccache)
if(GRIDCAST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GRIDCAST_CCACHE}")
endif()

# By which builds are told apart (sim/study/journal.hpp), whatever the distribution's default.
add_link_options(-Wl,--build-id=sha1)

add_library(gridcast_options INTERFACE)
target_compile_options(gridcast_options INTERFACE
  # No fused multiply-add: the same seed gives the same bytes on every processor.
  -ffp-contract=off
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:$<TARGET_PROPERTY:GRIDCAST_MAY_SHADOW>>>:-Wshadow>
  -Wnon-virtual-dtor -Woverloaded-virtual -Wundef
  # GCC 12 sees overlapping copies in "text" + std::string that are not there (GCC bug 105651), and
  # uninitialised strings in braced aggregates (GCC bug 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>
  $<$<BOOL:${GRIDCAST_WERROR}>:-Werror>)
