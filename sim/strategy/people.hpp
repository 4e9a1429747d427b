// What people do with a held job: the calibrated process of release and removal by hand.
//   job table   released with a probability that depends on the reason, after a delay
//   dated logs  released with one probability at each hold, after a delay; removed instead once the
//               job has been held often enough
// Left out: office hours, people who release many jobs at once.
#pragma once

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::strategy {

struct ByHand {
  enum class Deed { none, release, remove } deed = Deed::none;
  Seconds after;
};

/// `holds`: of the job so far, this one included.
ByHand by_hand(scenario::ParameterDraw const& draw, history::Reason reason, int holds,
               RandomStream stream);

}  // namespace gridcast::strategy
