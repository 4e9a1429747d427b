// Attributes that a submit file defines itself, and that its expressions use:
//
//   MY.MaxTries = 2
//   on_exit_remove = NumJobCompletions >= MY.MaxTries
//
// condor_submit puts them into the job's ad. Here each expression gets their values in place of
// their names: NumJobCompletions >= (2). Jobs whose values differ have those of the first one.
#pragma once

#include <string>
#include <string_view>

#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::condor {

/// The text with the values of `+NAME` commands in place of NAME and MY.NAME. TARGET.NAME is
/// another ad's, and a name in quotes is text. A value may use others; a circle stays a name.
std::string with_own_attributes(std::string_view expression, SubmitCommands const& commands);

/// The same in all expressions that the simulation evaluates.
void put_in_own_attributes(SubmitFile& file);

}  // namespace gridcast::condor
