// The command line of this process, as it could be typed again.
#pragma once

#include <string>
#include <vector>

namespace gridcast::cli {

/// Words with what a POSIX shell needs around them; the program is called by its name.
std::string command_line(std::vector<std::string> const& words);
/// That of this process.
std::string command_line();

}  // namespace gridcast::cli
