# The pages: web/ made into one HTML file each in GRIDCAST_PAGE_FOLDER, report.html and, beside it,
# open.html of `gridcast open` and lessons.html of `gridcast lesson static`, from where the program takes them (sim/report/page/document.hpp).
#
# It takes Node.js and npm; npm brings in what web/package-lock.json pins. Nothing else needs them:
# without, all but the HTML report is built, and every build says how to get them.

find_program(GRIDCAST_NODE NAMES node nodejs DOC "Node.js, which makes the report page")
find_program(GRIDCAST_NPM NAMES npm DOC "npm, which brings in the libraries of the report page")

set(GRIDCAST_PAGE_FOLDER "${PROJECT_BINARY_DIR}/page")
set(GRIDCAST_PAGE_FILE "${GRIDCAST_PAGE_FOLDER}/report.html")

if(NOT GRIDCAST_NODE OR NOT GRIDCAST_NPM)
  message(STATUS
    "Node.js or npm is missing: no HTML reports. To have them: apt-get install nodejs npm, configure again")
endif()

# The script leaves the page out rather than fail; then the next build tries again.
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*")
add_custom_command(
  OUTPUT "${GRIDCAST_PAGE_FILE}"
  COMMAND "${CMAKE_COMMAND}"
    "-DNODE=${GRIDCAST_NODE}" "-DNPM=${GRIDCAST_NPM}" "-DOUT=${GRIDCAST_PAGE_FILE}"
    "-DSOURCES=${PROJECT_SOURCE_DIR}/web" "-DFOLDER=${PROJECT_BINARY_DIR}/page-build"
    -P "${PROJECT_SOURCE_DIR}/cmake/make_page.cmake"
  DEPENDS ${page_sources} "${PROJECT_SOURCE_DIR}/cmake/make_page.cmake"
          "${PROJECT_SOURCE_DIR}/cmake/npm_packages.cmake"
  COMMENT "Making the report page"
  VERBATIM)
add_custom_target(gridcast_page DEPENDS "${GRIDCAST_PAGE_FILE}")

# The documentation as HTML, for `gridcast help docs`.
file(GLOB docs_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/model/*.md"
  "${PROJECT_SOURCE_DIR}/docs/images/*" "${PROJECT_SOURCE_DIR}/web/reader/*")
add_custom_command(
  OUTPUT "${GRIDCAST_PAGE_FOLDER}/docs/index.html"
  COMMAND "${CMAKE_COMMAND}"
    "-DNODE=${GRIDCAST_NODE}" "-DNPM=${GRIDCAST_NPM}" "-DOUT=${GRIDCAST_PAGE_FOLDER}/docs"
    "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DFOLDER=${PROJECT_BINARY_DIR}/docs-build"
    -P "${PROJECT_SOURCE_DIR}/cmake/make_docs.cmake"
  DEPENDS ${docs_sources} "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
          "${PROJECT_SOURCE_DIR}/cmake/make_docs.cmake" "${PROJECT_SOURCE_DIR}/cmake/npm_packages.cmake"
  COMMENT "Making the documentation's pages"
  VERBATIM)
add_custom_target(gridcast_docs DEPENDS "${GRIDCAST_PAGE_FOLDER}/docs/index.html")
