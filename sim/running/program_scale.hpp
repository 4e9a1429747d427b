// How long the executions of each program take, relative to those of all programs of a campaign. A
// DAG prepares, trains and merges: one law of lengths serves all, in units of each job's program.
//
// If d executions of a program ended with a result and took s on average, while all such
// executions took m,
//
//   scale = (s / m)^(d / (d + k)),   k = 0.25
//
// the mean of ln scale if ln s of a program has the sd 1.4 and ln of its executions 0.7.
// A program without such an execution has the scale 1, and so have the jobs of a campaign of one
// program.
#pragma once

#include <string>
#include <vector>

#include "sim/running/running_campaign.hpp"

namespace gridcast::running {

/// Sets the scale of each job. `programs`: by job.
void set_scales(RunningCampaign& campaign, std::vector<std::string> const& programs);

}  // namespace gridcast::running
