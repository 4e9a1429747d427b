// The files that come with the program.
#pragma once

#include <filesystem>

namespace gridcast::cli {

/// scenarios/osg-imagenet.yaml, from here or the program's own folder upwards (a checkout), or
/// below
/// ../share/gridcast (an installation). InputError if it is in none of these.
std::filesystem::path shipped_scenario();

}  // namespace gridcast::cli
