// Reads a pool file, together with where in it everything stands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/override.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/yaml_document.hpp"

namespace gridcast::scenario {

struct PoolFile {
  YamlDocument document;  // with the problems found
  Pool pool;
};

PoolFile read_pool_file(std::filesystem::path const& file, std::string const& text,
                        std::vector<Override> const& overrides = {});

/// Pilots have to live longer than what they want to have left, by enough to start at all.
inline constexpr Seconds shortest_acceptance = minutes(10);

}  // namespace gridcast::scenario
