#include "sim/cli/verb_files.hpp"

#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/campaign_training.hpp"

namespace gridcast::cli {

namespace fs = std::filesystem;

fs::path shipped_scenario() {
  fs::path const file = fs::path("scenarios") / "osg-imagenet.yaml";
  if (auto const found = scenario::shipped_file(file)) return *found;
  throw InputError(Problem{{},
                           file.string() + " is not found",
                           "neither here nor where the program is",
                           "Give --scenario FILE."});
}

scenario::Scenario read_runnable_scenario(fs::path const& file,
                                          std::vector<std::string> const& overrides) {
  scenario::Scenario scenario = scenario::read_scenario(file, overrides);
  training::check_training(scenario);
  return scenario;
}

void prepare_output(fs::path const& folder, std::vector<std::string> const& names, bool force) {
  prepare_folder(folder);
  if (force) return;
  std::vector<std::string> there;
  for (auto const& name : names) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) there.push_back(name);
  }
  if (there.empty()) return;
  throw InputError(Problem{{folder.string()},
                           fmt::format("already holds {}", fmt::join(there, ", ")),
                           "results are not replaced unasked",
                           "Name another folder, or give --force."});
}

void write_output(fs::path const& folder, std::vector<report::NamedText> const& files) {
  for (auto const& file : files) write_file(folder / file.name, file.text);
}

void prepare_folder_of(fs::path const& file) {
  fs::path const folder = file.parent_path();
  prepare_folder(folder.empty() ? "." : folder);
}

std::string from_folder(fs::path const& file, fs::path const& folder) {
  std::error_code error;
  fs::path const relative = fs::proximate(file, folder.empty() ? "." : folder, error);
  return error ? file.string() : relative.generic_string();
}

}  // namespace gridcast::cli
