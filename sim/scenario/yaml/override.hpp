// `--set PATH=VALUE`: values put over those of a scenario's files before they are read.
//
// PATH is the keys down to the value with points between, as messages write them:
//   campaign.work.epochs=10              a key, also one that the file leaves out
//   campaign.submit[0].jobs=4            an entry of a list by its number, or
//   campaign.submit.0.jobs=4
//   strategies.cool.retry.times=2        a strategy by its name
//   pool.sites.SITE.gpus=4               the pool's file; an entry of a list by its `name`
//   calibration.gpus.SITE=4              a column of the calibration's draws, in every row
// Names may have points in them: the longest one that is there is meant. VALUE is what would stand
// in the file, so also `[a, b]` and `{key: value}`. Of two for the same path the later one holds.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

struct Override {
  std::string path;
  std::string value;
  std::string option = {};  // as it was given, for messages
};

/// InputError with each that has not the form PATH=VALUE.
std::vector<Override> parse_overrides(std::vector<std::string> const& texts);

/// Those of a scenario, by the file that they are for; paths are from that file's top.
struct OverridesByFile {
  std::vector<Override> scenario, pool, calibration;
};
OverridesByFile by_file(std::vector<Override> const& overrides);

/// Puts the values into the document. What no value can be put at, and names that are not among
/// those of `closed` groups, are problems of the document at the option; the rest is told when the
/// document is read.
void apply_overrides(std::vector<Override> const& overrides, YamlDocument& document,
                     std::vector<std::string> const& closed = {});

/// What stands at such a path, from the top of the document; empty where there is no single value.
std::string value_at(YAML::Node const& root, std::string path);

}  // namespace gridcast::scenario
