// A profile as the text that profile_reader reads: what differs from the defaults, and the sources.
#pragma once

#include <string>

#include "sim/scenario/profile.hpp"

namespace gridcast::scenario {

/// `comment` is put before it, line by line, behind "# ".
std::string profile_yaml(Profile const& profile, std::string const& comment);

}  // namespace gridcast::scenario
