# Makes OUT from SOURCES (web/) with NODE and NPM, in FOLDER; nothing is written into SOURCES.
# If it cannot, it says so and leaves OUT out, and the build goes on.
include("${CMAKE_CURRENT_LIST_DIR}/npm_packages.cmake")

function(no_page why)
  message("No HTML reports: ${why}")
  message("All else works. With Node.js 18 or newer and npm (Debian: apt-get install nodejs npm) the next build tries again.")
endfunction()

file(REMOVE "${OUT}")

# Installed after the build was configured?
find_program(NODE NAMES node nodejs)
find_program(NPM NAMES npm)
if(NOT NODE OR NOT NPM)
  no_page("Node.js or npm is missing.")
  return()
endif()

file(MAKE_DIRECTORY "${FOLDER}")
file(GLOB parts RELATIVE "${SOURCES}" "${SOURCES}/*")
list(REMOVE_ITEM parts node_modules dist)
foreach(part IN LISTS parts)
  file(REMOVE_RECURSE "${FOLDER}/${part}")
  file(COPY "${SOURCES}/${part}" DESTINATION "${FOLDER}")
endforeach()

npm_packages("${FOLDER}" problem)
if(problem)
  no_page("${problem}")
  return()
endif()

execute_process(
  COMMAND "${NODE}" build.mjs "${OUT}"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  file(REMOVE "${OUT}")
  no_page("the page could not be made (node build.mjs):\n${said}")
endif()
