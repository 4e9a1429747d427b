# cmake -D SOURCE=... -D VERSION=... -D HEADER=... -P write_version.cmake

# --no-optional-locks: a build must not get in the way of a commit made meanwhile. --match: releases
# only. Outside a git checkout, or without git, the revision stays empty.
execute_process(
  COMMAND git --no-optional-locks -C "${SOURCE}" describe --always --dirty --match "v[0-9]*"
  OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)

configure_file("${CMAKE_CURRENT_LIST_DIR}/gridcast_version.hpp.in" "${HEADER}" @ONLY)
