// Text to YAML nodes, with an end: yaml-cpp goes round for ever at a ',' outside of brackets when it
// is asked for all documents, and a few aliases of aliases stand for more values than there is memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <yaml-cpp/yaml.h>

namespace gridcast::scenario {

/// A campaign of a million submissions has ten million values, in 100 MB.
inline constexpr std::size_t most_yaml_values = 30'000'000;
inline constexpr std::size_t most_yaml_bytes = std::size_t{1} << 28;

struct ParsedYaml {
  YAML::Node root;                           // of the first document
  std::optional<YAML::Mark> second_at = {};  // where another begins
};

/// YAML::Exception for what is no YAML, and for more bytes or values than anybody means; an alias
/// counts as all that it stands for.
ParsedYaml parse_yaml(std::string const& text);

}  // namespace gridcast::scenario
