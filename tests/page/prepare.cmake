# Copies the tests of the report page to FOLDER, where npm may write, and brings in their packages.
# Without npm the tests are skipped, and the next build tries again.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/npm_packages.cmake")

file(MAKE_DIRECTORY "${FOLDER}")
file(REMOVE "${FOLDER}/ready")
file(COPY ${FILES} DESTINATION "${FOLDER}")

find_program(NPM NAMES npm)
set(problem "npm is missing.")
if(NPM)
  npm_packages("${FOLDER}" problem)
endif()
if(problem)
  message("The report page is not tested: ${problem}")
else()
  file(TOUCH "${FOLDER}/ready")
endif()
