# cmake --install and cpack: the program, its manual page and completions, and all that it looks for
# relative to itself (../share/gridcast), so that the folder can be anywhere, and be moved.
#
#   bin/gridcast
#   share/gridcast/     scenarios with their profiles, calibrations, the campaigns they were fitted to,
#                       the schema of scenarios, the report page and that of `gridcast open`
#   share/doc/gridcast  README.md, CHANGELOG.md, docs/
# cpack -G DEB in the build folder makes the same a package, cpack -G TGZ a folder that runs anywhere
# (Portable.cmake; docs/install.md).

include(GNUInstallDirs)
set(share "${CMAKE_INSTALL_DATADIR}/gridcast")
set(doc "${CMAKE_INSTALL_DATADIR}/doc/gridcast")

install(TARGETS gridcast RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY scenarios DESTINATION "${share}")
install(DIRECTORY calibration/fitted calibration/data calibration/maps DESTINATION "${share}/calibration")
install(FILES docs/scenario.schema.json DESTINATION "${share}/docs")
# Not there if it could not be made (Page.cmake).
install(FILES "${GRIDCAST_PAGE_FILE}" "${GRIDCAST_PAGE_FOLDER}/open.html"
  "${GRIDCAST_PAGE_FOLDER}/lessons.html" DESTINATION "${share}" OPTIONAL)
install(DIRECTORY "${GRIDCAST_PAGE_FOLDER}/docs/" DESTINATION "${doc}/html" OPTIONAL)
install(FILES docs/gridcast.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION "${doc}")
install(FILES LICENSE DESTINATION "${doc}" RENAME copyright)
install(DIRECTORY docs DESTINATION "${doc}" FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg"
  PATTERN "*.ipynb" PATTERN "*.py" PATTERN "*.R" PATTERN "*.def" PATTERN "Containerfile")

# The installed program prints the options of each verb for the shells.
set(completions "${PROJECT_BINARY_DIR}/completions")
install(CODE "
  file(MAKE_DIRECTORY \"${completions}\")
  foreach(shell bash zsh)
    execute_process(
      COMMAND \"$<TARGET_FILE:gridcast>\" help completion \${shell}
      OUTPUT_FILE \"${completions}/\${shell}\"
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(FILES "${completions}/bash" RENAME gridcast
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completions}/zsh" RENAME _gridcast
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")

# A release is its tag; what is between two is after the one and before the other, so that packages
# of both can be told apart and replace each other in order.
execute_process(
  COMMAND git --no-optional-locks -C "${PROJECT_SOURCE_DIR}" describe --tags --match "v[0-9]*" --exact-match
  OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE is_no_release)
execute_process(
  COMMAND git --no-optional-locks -C "${PROJECT_SOURCE_DIR}" show -s --format=%cd.%h --date=format:%Y%m%d
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(package_version "${PROJECT_VERSION}")
if(is_no_release AND commit)
  string(APPEND package_version "+git${commit}")
endif()

include(cmake/Portable.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gridcast)
set(CPACK_PACKAGE_VERSION "${package_version}")
set(CPACK_PACKAGE_CONTACT "The gridcast developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Forecasts machine-learning training campaigns on a grid")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# The libraries are what dpkg-shlibdeps finds; nothing links the time zones, which logs need.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS tzdata)
set(CPACK_SYSTEM_PROCESSOR "${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_BUILD_FOLDER "${PROJECT_BINARY_DIR}")
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/PackageKind.cmake")
include(CPack)
