// How likely it is to keep a deadline: as many jobs as are wanted (study::wanted_successes) have
// *succeeded* by then. A campaign whose jobs are soon all held has ended soon, and kept none.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// Share of the replicas below a time, read off quantiles in equal steps (to a hundredth); NaN without
/// them.
double share_by(std::vector<Seconds> const& quantiles, Seconds time);

/// With its binomial error; n = 0 where nothing is told.
study::Chance met_by(Result const& result, ResultStrategy const& strategy, Seconds deadline);

/// "deadline" of a strategy, where the result is asked for one.
void put_deadline(Json& json, Result const& result, ResultStrategy const& strategy);

}  // namespace gridcast::report
