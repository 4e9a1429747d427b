// A YAML file being read: its nodes, their places, and the problems found so far. Reading goes on
// after a problem: all of them are reported at once. Also the values that `--set PATH=VALUE` puts
// over those of the file before they are read.
//
// PATH is the keys down to the value with points between, as messages write them:
//   campaign.work.epochs=10              a key, also one that the file leaves out
//   campaign.submit[0].jobs=4            an entry of a list by its number, or
//   campaign.submit.0.jobs=4
//   strategies.cool.retry.times=2        a strategy by its name
//   strategies.warm={}                   a new strategy, for values below it that follow
//   pool.sites.SITE.gpus=4               the pool's file; an entry of a list by its `name`
//   calibration.gpus.SITE=4              a column of the calibration's draws, in every row
// Names may have points in them: the longest one that exists is meant. VALUE is written as in the
// file, so also `[a, b]` and `{key: value}`. If two have the same path, the later one holds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "sim/base/error.hpp"

namespace gridcast::scenario {

// Text to YAML nodes, with an end: yaml-cpp loops for ever at a ',' outside of brackets when all
// documents are requested, and a few aliases of aliases stand for more values than there is
// memory.

/// A campaign of a million submissions has ten million values, in 100 MB.
inline constexpr std::size_t most_yaml_values = 30'000'000;
inline constexpr std::size_t most_yaml_bytes = std::size_t{1} << 28;

struct ParsedYaml {
  YAML::Node root;                           // of the first document
  std::optional<YAML::Mark> second_at = {};  // where another begins
};

/// More bytes, values or levels than anybody means; an alias counts as all that it stands for.
class TooMuchYaml : public YAML::ParserException {
 public:
  using YAML::ParserException::ParserException;
};

/// TooMuchYaml, and YAML::Exception for a text that is no YAML.
ParsedYaml parse_yaml(std::string const& text);

class YamlDocument {
 public:
  /// A syntax error is the one problem that then is found; the root is null.
  YamlDocument(std::filesystem::path const& file, std::string const& text);

  YAML::Node const& root() const { return root_; }
  bool is_yaml() const { return is_yaml_; }
  /// Frees their memory, if nothing else holds one. Places and problems stay.
  void forget_nodes() { root_.reset(); }

  /// Reads a piece of YAML that is not in the file: problems at its nodes are reported at `option`.
  /// None, and a problem, if it is no YAML.
  std::optional<YAML::Node> overlay(std::string const& option, std::string const& text);

  Location at(YAML::Mark const& mark) const;
  /// The place of the value at `path` ("campaign.input[0].size"), or of the values around it.
  Location at(std::string path) const;
  /// True if there is a value at `path`, good or bad.
  bool has(std::string const& path) const { return marks_.contains(path); }
  /// True if the value at `path` has a problem already: nothing else is known about it.
  bool is_bad(std::string const& path) const { return bad_.contains(path); }
  void mark_bad(std::string const& path) { bad_.insert(path); }
  void remember(std::string const& path, YAML::Mark const& mark) { marks_[path] = mark; }

  void add(Location where, std::string what, std::string why, std::string hint);
  void add(Problem problem) { problems_.push_back(std::move(problem)); }
  /// "path: " and the problem with the value there.
  void complain(std::string const& path, std::string const& what, std::string why = "",
                std::string hint = "") {
    add(at(path), path + ": " + what, std::move(why), std::move(hint));
  }
  bool has_problems() const { return !problems_.empty(); }
  /// In the order of the file.
  std::vector<Problem> problems() const;

 private:
  std::string file_;
  YAML::Node root_;
  bool is_yaml_ = true;
  int lines_ = 0;                        // of the file, and of the overlays
  std::map<int, std::string> overlaid_;  // options, by their first line behind the file's last
  std::map<std::string, YAML::Mark> marks_;
  std::set<std::string> bad_;
  std::vector<Problem> problems_;
};

/// A value in a document, on its way into a field.
struct YamlValue {
  YamlDocument& document;
  YAML::Node node;
  std::string path;

  /// "campaign.request.disk: " and the problem, at the value.
  void complain(std::string const& what, std::string why, std::string hint) const;
  YamlValue child(std::string const& key, YAML::Node const& value) const;
  YamlValue item(std::size_t index) const;
};

/// "'text'" of a scalar, else its kind ("a list").
std::string shown(YAML::Node const& node);

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

/// Puts the values into the document. Values without a possible place, and names that are not among
/// those of `closed` groups, are problems of the document at the option; the others are reported
/// when the document is read. NAME={} adds a name to a closed group.
void apply_overrides(std::vector<Override> const& overrides, YamlDocument& document,
                     std::vector<std::string> const& closed = {});

/// The value at such a path, from the top of the document; empty if there is no single value.
std::string value_at(YAML::Node const& root, std::string path);

}  // namespace gridcast::scenario
