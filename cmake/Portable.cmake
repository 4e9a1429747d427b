# cpack -G TGZ: one folder that runs on any Linux of this processor, without root or packages. Beside
# what is installed (Install.cmake) it contains the dynamic loader and all libraries, so that nothing
# of the machine's C library is used:
#
#   gridcast            a script, which starts the program with the folder's own loader
#   bin/gridcast
#   lib/                the loader and the libraries, by the names that the program asks for
#   share/doc/libraries the licences of the libraries, where Debian's packages have them
# The rules are of a component of their own: neither cmake --install nor the .deb has these files.

set(portable_script "${PROJECT_SOURCE_DIR}/cmake/portable.sh")
set(portable_rules "${PROJECT_BINARY_DIR}/install_portable.cmake")
file(GENERATE OUTPUT "${portable_rules}" INPUT "${PROJECT_SOURCE_DIR}/cmake/install_portable.cmake.in")
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  include(\"${portable_rules}\")" COMPONENT portable EXCLUDE_FROM_ALL)
install(PROGRAMS "${portable_script}" RENAME gridcast DESTINATION . COMPONENT portable EXCLUDE_FROM_ALL)
