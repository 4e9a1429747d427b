// The tables of keys of scenario and pool files, and what is read into where the structs of the
// simulator hold something else than the file says.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/scenario/yaml_fields.hpp"

namespace gridcast::scenario {

inline constexpr char scenario_schema_name[] = "gridcast.scenario/1";
inline constexpr char pool_schema_name[] = "gridcast.pool/1";

/// Caches by name, to be looked up when all are known.
struct SiteEntry : SiteSpec {
  std::vector<std::string> cache_names;
};

struct PoolEntries : Pool {
  std::vector<SiteEntry> entries;
};

/// Names of the files, to be read afterwards.
struct ScenarioEntries : Scenario {
  std::string pool_file;
  std::string calibration_file;
};

Table<PoolEntries> const& pool_table();
Table<Campaign> const& campaign_table();
Table<Strategy> const& strategy_table();
Table<ScenarioEntries> const& scenario_table();

/// What the tables alone cannot say: keys that only make sense together.
void check_strategies(YamlDocument& document, std::vector<Strategy> const& strategies);

/// Complains and is false when the file is another version or another kind of file.
bool check_schema(YamlDocument& document, std::string const& wanted);

}  // namespace gridcast::scenario
