// How long a job computes: unpack the archive, then so many epochs at the pace of this execution.
//   T = unpack + epochs x t,  t ~ the site's epoch-time distribution, one draw an execution.
// The pace belongs to the execution (the GPU it got, its neighbours on the node), not to the epoch:
// two 5-epoch campaigns and one of 20 epochs share it (docs/model.md, "Execution"). Left out:
// warm-up, the change of pace within an execution.
#pragma once

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::training {

Seconds execution_time(scenario::SiteParameters const& site, int epochs, RandomStream& stream);

}  // namespace gridcast::training
