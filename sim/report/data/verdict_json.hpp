// A comparison's verdict, and what a strategy's headline rests on, as JSON and back: chances with their
// errors, ranks, pooled ratios, regrets, observations.
#pragma once

#include "sim/report/data/json.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// "versus_baseline" of one figure.
Json difference_json(study::PairedDifference const& difference);
study::PairedDifference difference_in(JsonReader const& json);

/// "pooled", "rank", "never_ran", "spread" of a strategy, each where it is told.
void put_standing(Json& json, ResultStrategy const& strategy);
void read_standing(JsonReader const& json, ResultStrategy& strategy);

/// "verdict" of a comparison that has one.
void put_verdict(Json& json, Result const& result);
/// After its strategies.
void read_verdict(JsonReader const& json, Result& result);

}  // namespace gridcast::report
