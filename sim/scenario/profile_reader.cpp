#include "sim/scenario/profile_reader.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/override.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

/// "compute.gpu" is below "compute" and itself.
bool is_below(std::string const& path, std::string const& group) {
  return path == group || (path.starts_with(group) && path[group.size()] == '.');
}

/// Keys that say what the file is, not what somebody measured.
bool needs_no_source(std::string const& key) {
  return key == "schema" || key == "title" || key == "sources" || key == "lesson";
}

void check_value(YamlDocument& document, Profile const& profile, std::string const& path) {
  bool const known =
      std::any_of(profile.sources.begin(), profile.sources.end(),
                  [&path](auto const& source) { return is_below(path, source.first); });
  if (known) return;
  document.add(document.at(path), path + ": no source", "every value says where it is from",
               fmt::format("Write '{}: ...' below 'sources', or 'assumed: why'.", path));
}

/// Every value has a source, and every source is of a value.
void check_sources(YamlDocument& document, Profile const& profile) {
  for (auto const& entry : document.root()) {
    std::string const key = entry.first.Scalar();
    if (needs_no_source(key)) continue;
    if (!entry.second.IsMap()) {
      check_value(document, profile, key);
      continue;
    }
    for (auto const& value : entry.second) {
      check_value(document, profile, key + "." + value.first.Scalar());
    }
  }
  for (auto const& [path, text] : profile.sources) {
    if (document.has(path)) continue;
    document.add(document.at("sources." + path),
                 fmt::format("sources: there is no value '{}'", path), "", "Remove the line.");
  }
}

void check_intervals(YamlDocument& document, CheckpointSpec const& checkpoint) {
  int const intervals = (checkpoint.every_steps > 0) + (checkpoint.every_epochs > 0) +
                        (checkpoint.every > Seconds(0));
  if (intervals <= 1) return;
  document.add(document.at("checkpoint"), "checkpoint: more than one interval",
               "steps, epochs and time exclude each other", "Keep one of them.");
}

void check_buckets(YamlDocument& document, ExchangeSpec const& exchange) {
  constexpr double most = 1e6;
  if (exchange.gradient / exchange.bucket <= most) return;
  document.add(
      document.at("exchange"), "exchange: more than a million buckets",
      fmt::format("{} in pieces of {}", to_text(exchange.gradient), to_text(exchange.bucket)), "");
}

void check_batch(YamlDocument& document, Profile const& profile) {
  if (document.is_bad("train.batch") || document.is_bad("dataset.samples")) return;
  if (profile.dataset.samples <= 0 || profile.train.batch <= profile.dataset.samples) return;
  document.add(document.at("train.batch"),
               fmt::format("train.batch: {} is more than the data set has, {}", profile.train.batch,
                           profile.dataset.samples),
               "a batch is a part of the data set", "");
}

/// Complains of a workload file of DLIO, once instead of key by key.
bool is_of_dlio(YamlDocument& document) {
  if (!document.is_yaml() || !document.root().IsMap() || document.root()["schema"]) return false;
  YAML::Node const root = document.root();  // const: asking for a key must not make it
  YAML::Node const dataset = root["dataset"];
  bool const has_files = dataset && dataset.IsMap() && dataset["num_files_train"];
  if (!has_files && !root["workload"] && !root["workflow"]) return false;
  Location const where = document.at("");
  document.add(
      where, "a workload file of DLIO where a profile is wanted", "",
      fmt::format("Make one of it: gridcast import dlio {} --out PROFILE.yaml.", where.file));
  return true;
}

}  // namespace

std::string source_of(Profile const& profile, std::string const& path) {
  std::string best, text;
  for (auto const& [group, source] : profile.sources) {
    if (!is_below(path, group) || group.size() < best.size()) continue;
    best = group;
    text = source;
  }
  return text;
}

Profile read_profile_text(fs::path const& file, std::string const& text,
                          std::vector<std::string> const& overrides) {
  YamlDocument document(file, text);
  apply_overrides(parse_overrides(overrides), document);
  Profile profile;
  profile.name = file.stem().string();
  if (!is_of_dlio(document) && check_schema(document, profile_schema_name)) {
    profile_table().read({document, document.root(), ""}, profile);
    if (!document.has_problems()) check_sources(document, profile);
    check_intervals(document, profile.checkpoint);
    check_batch(document, profile);
    check_buckets(document, profile.exchange);
  }
  if (document.has_problems()) throw InputError(document.problems());
  return profile;
}

Profile read_profile(fs::path const& file, std::vector<std::string> const& overrides) {
  return read_profile_text(file, read_text_file(file), overrides);
}

std::vector<std::string> profile_names(fs::path const& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    fs::path const& path = entry.path();
    if (path.extension() != ".yaml" || path.stem() == "hardware") continue;
    names.push_back(path.stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_profile_file(std::string const& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

Profile find_profile(fs::path const& folder, std::string const& name) {
  if (is_profile_file(name)) return read_profile(name);
  auto const names = profile_names(folder);
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return read_profile(folder / (name + ".yaml"));
  }
  throw InputError(Problem{{},
                           fmt::format("unknown profile '{}'", name),
                           "",
                           suggestion(name, names) + " gridcast train --list shows them all."});
}

}  // namespace gridcast::scenario
