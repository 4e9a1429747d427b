// What the page does with a lesson, as the command line of `gridcast lesson`.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/json.hpp"

namespace gridcast::serve {

/// {do: run | page | check | solution, number, answer, guess, name, strategy, set: [{path, value}]}. Values are of
/// keys and columns that lessons name, never of keys that name files. A page is of a run. InputError.
std::vector<std::string> lesson_command(report::Json const& json);

}  // namespace gridcast::serve
