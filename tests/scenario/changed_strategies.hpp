// A value other than the default for each key of a strategy. Tests of all keys cover a new key too.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/tables.hpp"

namespace gridcast::test {

/// As it would stand in a file.
inline std::string other_value(scenario::Key const& key) {
  switch (key.form) {
    case scenario::Form::word:
      return key.words.back() == key.fallback ? key.words.front() : key.words.back();
    case scenario::Form::truth:
      return key.fallback == "true" ? "false" : "true";
    case scenario::Form::integer:
      return key.fallback == "7" ? "8" : "7";
    case scenario::Form::time:
      return key.fallback == "7 s" ? "8 s" : "7 s";
    case scenario::Form::time_range:
      return "7 s..8 s";
    case scenario::Form::names:
      return "[node7]";
    case scenario::Form::expression:
      return "NumHolds < 3";
    default:
      return "25.6.1";  // a version, or the name of a profile
  }
}

/// The default strategy with one key changed.
struct ChangedStrategy {
  std::string path;  // "transfer.resume"
  scenario::Strategy strategy;
};

inline void add_changed(scenario::Section const& section, std::string const& path,
                        std::string const& before, std::string const& after,
                        std::vector<ChangedStrategy>& changed) {
  for (scenario::Key const& key : section.keys) {
    if (key.for_people) continue;
    std::string const open = before + "{" + key.name + ": ";
    if (key.section) {
      add_changed(*key.section, path + key.name + ".", open, "}" + after, changed);
      continue;
    }
    scenario::YamlDocument document("one.yaml", open + other_value(key) + "}" + after);
    scenario::Strategy strategy;
    scenario::strategy_table().read({document, document.root(), ""}, strategy);
    changed.push_back({path + key.name, strategy});
  }
}

/// One for each key that changes a simulation.
inline std::vector<ChangedStrategy> changed_strategies() {
  std::vector<ChangedStrategy> changed;
  add_changed(scenario::strategy_table().section(), "", "", "", changed);
  return changed;
}

}  // namespace gridcast::test
