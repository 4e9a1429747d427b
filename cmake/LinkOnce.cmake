# gridcast_link_once(NAME target...)
#
# All objects of the targets in one, NAME.o, joined by GCC's link-time optimiser: only it sees all
# translation units together and can tell of types that two of them define differently (-Wodr), and of
# functions that one declares otherwise than another defines. Nobody uses it; `tests/run odr` makes it.
# GCC only. To be included before the targets: their objects carry GCC's own language beside the
# machine's (-ffat-lto-objects), so that what is tested is compiled once for both. Programs are linked
# from the machine's, without the optimiser.
add_compile_options(-flto -ffat-lto-objects)
add_link_options(-fno-lto)

function(gridcast_link_once name)
  set(objects)
  foreach(target IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endforeach()
  # -flinker-output=rel: joined in GCC's language, and no machine code made of it.
  add_custom_command(
    OUTPUT ${name}.o
    COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -flto -flinker-output=rel
      -Wodr -Wlto-type-mismatch -Werror -o ${name}.o ${objects}
    DEPENDS ${objects}
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} DEPENDS ${name}.o)
endfunction()
