# gridcast_link_once(NAME main.cpp LAYERS target...)
#
# A program of every object of the layers, linked with link-time optimisation: only then does GCC see
# all translation units together and can tell of types that two of them define differently (-Wodr),
# and of functions that one declares otherwise than another defines. Nobody runs it; `tests/run odr`
# builds it. GCC only.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)

function(gridcast_link_once name main)
  cmake_parse_arguments(PARSE_ARGV 2 once "" "" "LAYERS")
  add_executable(${name} "${main}")
  foreach(layer IN LISTS once_LAYERS)
    # All objects of the archive, wanted by another or not; the archive itself brings what it links.
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${layer}>)
    target_link_libraries(${name} PRIVATE ${layer})
  endforeach()
  target_link_options(${name} PRIVATE -Wodr -Wlto-type-mismatch -Werror)
endfunction()
