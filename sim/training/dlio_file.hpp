// A DLIO workload file while it is read: which keys were asked for, and what was wrong with them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/yaml_values.hpp"
#include "sim/training/dlio.hpp"

namespace gridcast::training {

class DlioFile {
 public:
  DlioFile(std::filesystem::path const& file, std::string const& text);

  scenario::YamlDocument& document() { return document_; }
  /// Whether there is a workload to read; what is missing has been complained of.
  bool good() const { return good_; }

  bool has(std::string const& path) const;
  double number(std::string const& path, double fallback, scenario::Bounds const& bounds = {});
  int whole(std::string const& path, int fallback, scenario::Bounds const& bounds = {});
  bool truth(std::string const& path, bool fallback);
  std::string text(std::string const& path, std::string fallback);
  /// One of the words, letter case aside (DLIO's own files mix it).
  std::string word(std::string const& path, std::string fallback,
                   std::vector<std::string> const& words);
  /// Mean of a time that may be a number or a distribution {type, mean, stdev, ...}; its standard
  /// deviation, relative to the mean, to `spread`.
  Seconds time(std::string const& path, double& spread);

  /// Whether any key of the file was one that was asked for.
  bool is_used() const { return !used_.empty(); }
  /// Leaves that nobody asked for.
  std::vector<IgnoredKey> ignored() const;

 private:
  void index(scenario::YamlValue const& value, int depth);

  scenario::YamlDocument document_;
  std::string root_;  // "workload." or nothing
  std::vector<std::pair<std::string, YAML::Node>> leaves_;
  std::set<std::string> used_;
  bool good_ = false;
};

}  // namespace gridcast::training
