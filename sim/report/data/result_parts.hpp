// What results of each schema hold, key by key (docs/formats.md).
#pragma once

#include "sim/report/data/json_reader.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// What all have: version, scenario, seed, replicas, failures.
void read_head(JsonReader const& json, Result& result);
void read_ledger(JsonReader const& json, Result& result);
void read_prediction(JsonReader const& json, Result& result);
void read_replay(JsonReader const& json, Result& result);
void read_comparison(JsonReader const& json, Result& result);

}  // namespace gridcast::report
