# The portable folder differs from the other packages: it has a top of its own and the portable component.
if(CPACK_GENERATOR STREQUAL TGZ)
  string(TOLOWER "${CPACK_SYSTEM_NAME}" system)
  set(CPACK_PACKAGE_FILE_NAME "gridcast-${CPACK_PACKAGE_VERSION}-${system}-${CPACK_SYSTEM_PROCESSOR}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_BUILD_FOLDER};gridcast;portable;/")
endif()
