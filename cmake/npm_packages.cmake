# npm_packages(FOLDER RESULT): the packages of FOLDER's lock file into FOLDER/node_modules, unless they
# are there already. RESULT: empty, or why it failed. No package runs a script of its own.
#
# What npm has fetched once it takes from its cache; it does not wait long for a registry that is
# out of reach.
function(npm_packages folder result)
  file(SHA256 "${folder}/package-lock.json" lock)
  set(stamp "${folder}/node_modules/.gridcast-lock")
  set(have "")
  if(EXISTS "${stamp}")
    file(READ "${stamp}" have)
  endif()
  if(have STREQUAL lock)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()

  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier
            --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
            --fetch-timeout=60000
    WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0)
    file(WRITE "${stamp}" "${lock}")
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} "npm could not bring in the libraries (npm ci):\n${said}" PARENT_SCOPE)
  endif()
endfunction()
