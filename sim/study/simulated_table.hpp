// A simulated campaign as a report would print it: what the fits that go through the simulator
// compare with the real table.
#pragma once

#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::study {

/// One replica under the published strategy, without shocks (404, site outages, corrupt inputs):
/// those are fitted from counts, and a fit of another process would only see them as noise.
history::JobTable simulated_table(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                  scenario::ParameterDraw const& draw,
                                  RandomStreams const& streams);

}  // namespace gridcast::study
