// The files that verbs look for, read and write.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/report/data/csv.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// scenarios/osg-imagenet.yaml, from here or the program's own folder upwards (a checkout), or below
/// ../share/gridcast (an installation). InputError if it is in none of these.
std::filesystem::path shipped_scenario();

/// Reads the scenario that a verb simulates, and checks all that can be checked before anything is
/// simulated. `overrides`: as read_scenario takes them. InputError.
scenario::Scenario read_runnable_scenario(std::filesystem::path const& file,
                                          std::vector<std::string> const& overrides = {});

/// Before any work: the folder is there (it is made), can be written in, and holds none of the
/// files that will be written, unless `force`. InputError otherwise.
void prepare_output(std::filesystem::path const& folder, std::vector<std::string> const& names,
                    bool force);
/// Each file whole or not at all.
void write_output(std::filesystem::path const& folder, std::vector<report::NamedText> const& files);

/// The same as for a folder of results, of the one that a file is to stand in.
void prepare_folder_of(std::filesystem::path const& file);
/// A file as a scenario names it: from its own folder.
std::string from_folder(std::filesystem::path const& file, std::filesystem::path const& folder);

}  // namespace gridcast::cli
