# Makes the documentation of SOURCE into HTML in OUT with NODE and NPM, in FOLDER. If it cannot, it says
# so, and `gridcast help docs` opens the pages as they were written.
include("${CMAKE_CURRENT_LIST_DIR}/npm_packages.cmake")

function(no_docs why)
  message("The documentation stays Markdown: ${why}")
endfunction()

file(REMOVE_RECURSE "${OUT}")
find_program(NODE NAMES node nodejs)
find_program(NPM NAMES npm)
if(NOT NODE OR NOT NPM)
  no_docs("Node.js or npm is missing.")
  return()
endif()

foreach(part build.mjs reader.css package.json package-lock.json)
  file(COPY "${SOURCE}/web/reader/${part}" DESTINATION "${FOLDER}")
endforeach()
npm_packages("${FOLDER}" problem)
if(problem)
  no_docs("${problem}")
  return()
endif()

execute_process(
  COMMAND "${NODE}" build.mjs "${SOURCE}" "${OUT}"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  file(REMOVE_RECURSE "${OUT}")
  no_docs("it could not be made (node build.mjs):\n${said}")
endif()
