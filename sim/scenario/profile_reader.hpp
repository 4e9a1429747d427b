// Reads workload profiles (scenarios/profiles/NAME.yaml), strictly: unknown keys, wrong units, and
// values without a source are problems, all told at once.
//
//   schema: gridcast.profile/1
//   title: ...
//   machine: kempner-a100
//   dataset: {samples: 1281167, ...}
//   ...
//   sources:
//     dataset: the benchmark's README        # a whole group,
//     dataset.files: "assumed: one a sample" # or one key of it
// A source that begins with "assumed" says that nobody measured the value, and why it is what it
// is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/profile.hpp"
#include "sim/scenario/yaml_fields.hpp"

namespace gridcast::scenario {

inline constexpr char profile_schema_name[] = "gridcast.profile/1";

Table<Profile> const& profile_table();

/// `overrides` ("PATH=VALUE", sim/scenario/override.hpp) are put over what the file says.
Profile read_profile(std::filesystem::path const& file,
                     std::vector<std::string> const& overrides = {});
/// The same from a text; `file` is for messages, its stem is the profile's name.
Profile read_profile_text(std::filesystem::path const& file, std::string const& text,
                          std::vector<std::string> const& overrides = {});

/// Names of the profiles in a folder, sorted: its YAML files but hardware.yaml.
std::vector<std::string> profile_names(std::filesystem::path const& folder);
/// Whether it is a file rather than a name of the catalogue: it ends in .yaml or .yml.
bool is_profile_file(std::string const& name);
/// A profile by name in the folder, or by its path. InputError with the nearest name.
Profile find_profile(std::filesystem::path const& folder, std::string const& name);

}  // namespace gridcast::scenario
