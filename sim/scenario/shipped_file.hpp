// The files that come with the program.
#pragma once

#include <filesystem>
#include <optional>

namespace gridcast::scenario {

/// A file or folder of the checkout, as "scenarios/profiles": from here or the program's own folder
/// upwards, or below ../share/gridcast (an installation).
std::optional<std::filesystem::path> shipped_file(std::filesystem::path const& name);

}  // namespace gridcast::scenario
