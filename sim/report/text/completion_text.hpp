// Completion of verbs, options and their values, as the shells want it told.
//
// Each script first walks over the verbs that are typed already to a path such as "import submit",
// and then offers what belongs there: an option's values behind an option that takes one, options
// behind a dash, verbs where there are verbs, files otherwise.
#pragma once

#include <string>

#include "sim/report/text/command.hpp"

namespace gridcast::report {

std::string bash_completion(Command const& program);
std::string zsh_completion(Command const& program);
std::string fish_completion(Command const& program);

}  // namespace gridcast::report
