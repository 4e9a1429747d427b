# Everything we use comes from the distribution; debian-packages.txt beside this file names it.

find_package(PkgConfig REQUIRED)
# From 3.32 on, s4u::Engine::add_model takes models of other programs (sim/engine/grid_model.hpp).
pkg_check_modules(SIMGRID REQUIRED IMPORTED_TARGET simgrid>=3.32)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
# Of Debian, a library that is linked: its header is compiled once.
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(NLOPT REQUIRED IMPORTED_TARGET nlopt_cxx)

find_package(fmt REQUIRED)
find_package(date REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)

# Without it all else works, and a log in zstd is refused with what to do.
pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
add_library(gridcast_zstd INTERFACE)
if(ZSTD_FOUND)
  target_link_libraries(gridcast_zstd INTERFACE PkgConfig::ZSTD)
  target_compile_definitions(gridcast_zstd INTERFACE GRIDCAST_ZSTD)
endif()

# Random123 ships headers and nothing that describes them.
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
add_library(gridcast_random123 INTERFACE)
target_include_directories(gridcast_random123 SYSTEM INTERFACE "${RANDOM123_INCLUDE_DIR}")

# A campaign's processes come and go in the order of events, which scatters glibc's small blocks over
# memory; jemalloc keeps those of one size together (docs/performance.md). For programs that are
# measured, not for those under sanitizers, which have an allocator of their own.
option(GRIDCAST_JEMALLOC "Release builds allocate with jemalloc" ON)
add_library(gridcast_allocator INTERFACE)
if(GRIDCAST_JEMALLOC AND CMAKE_BUILD_TYPE STREQUAL "Release")
  pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)
  # Nothing names its functions but malloc's, which libc has too.
  target_link_libraries(gridcast_allocator INTERFACE -Wl,--no-as-needed PkgConfig::JEMALLOC)
endif()
