# gridcast_layer(NAME FOLDERS folder... [EXCEPT file...] [LINKS target...] [HIDDEN target...])
#
# A static library of the *.cpp directly in the folders. LINKS are seen by its users, HIDDEN ones
# only by itself. A layer that has no sources yet is an interface library, so that others can link it.
function(gridcast_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "FOLDERS;EXCEPT;LINKS;HIDDEN")

  list(TRANSFORM layer_FOLDERS APPEND "/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})
  list(REMOVE_ITEM sources ${layer_EXCEPT})

  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ${layer_LINKS} PRIVATE gridcast_options ${layer_HIDDEN})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${layer_LINKS})
  endif()
endfunction()
