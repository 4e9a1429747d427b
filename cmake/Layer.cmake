# gridcast_layer(NAME FOLDER folder [EDGE | CORE] [EXCEPT file...] [LINKS target...] [HIDDEN target...])
#
# A layer of the house: a static library gridcast_NAME of the *.cpp in the folder and below. LINKS are
# seen by its users, HIDDEN ones only by itself. EDGE: it reads or prints something once a command, so a
# Release build spends less time on making it fast. CORE: replicas run in it, so it spends more.
#
# What a layer does not link it cannot include: each layer shows its users its own folder alone,
# through a link of that name in a folder of the build, and the checkout itself is nobody's include
# path. An include against the order of the layers is a file that is not there.
#
# With GRIDCAST_UNITY the files of a folder are compiled together, up to sixteen at a time: what they
# include is read once a group and not once a file. So no two files of a folder may give one name to two
# things, not even in unnamed namespaces.
function(gridcast_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "EDGE;CORE" "FOLDER" "EXCEPT;LINKS;HIDDEN")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${layer_FOLDER}/*.cpp")
  list(REMOVE_ITEM sources ${layer_EXCEPT})

  add_library(gridcast_${name} STATIC ${sources})
  if(GRIDCAST_UNITY)
    gridcast_compile_together(gridcast_${name} ${sources})
  endif()
  gridcast_show_folder(gridcast_${name} ${layer_FOLDER})
  target_link_libraries(gridcast_${name} PUBLIC ${layer_LINKS} PRIVATE gridcast_options ${layer_HIDDEN})
  if(layer_EDGE)
    target_compile_options(gridcast_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(layer_CORE)
    target_compile_options(gridcast_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
endfunction()

# gridcast_compile_together(TARGET source...): the sources of each folder in groups.
function(gridcast_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  list(SORT ARGN)
  set(last_folder "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    if(NOT folder STREQUAL last_folder)
      set(last_folder "${folder}")
      set(files 0)
    endif()
    math(EXPR part "${files} / 16 + 1")
    math(EXPR files "${files} + 1")
    string(REPLACE "/" "-" group "${folder}-${part}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()

# By themselves: where more is compiled with them, GCC takes a check of Boost's for constant that holds on a
# processor and not under valgrind, whose long doubles are doubles, and the program ends before it begins.
set_source_files_properties(sim/base/statistics.cpp calibration/held_out.cpp calibration/fits/stop_fit.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# gridcast_show_folder(TARGET folder): lets the target and its users include "folder/...".
function(gridcast_show_folder target folder)
  set(root "${PROJECT_BINARY_DIR}/include-roots/${target}")
  cmake_path(GET folder PARENT_PATH above)
  file(MAKE_DIRECTORY "${root}/${above}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${root}/${folder}" SYMBOLIC)
  target_include_directories(${target} PUBLIC "${root}")
endfunction()
