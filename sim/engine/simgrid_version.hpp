// The version of the SimGrid library that the program runs with, which may differ from its
// headers'.
#pragma once

#include <string>

namespace gridcast::engine {

/// For example "3.32".
std::string simgrid_version();

/// InputError if that version has no models of other programs (s4u::Engine::add_model).
void require_simgrid();

}  // namespace gridcast::engine
