// The keys of a job's own policy, each group where a reader of scenarios looks for it.
#pragma once

#include "sim/scenario/job_policy.hpp"
#include "sim/scenario/yaml_fields.hpp"

namespace gridcast::scenario {

Table<JobPolicy> const& exit_policy_table();      // retry: what an exit code means
Table<JobPolicy> const& periodic_policy_table();  // retry: what is looked at again and again
Table<JobPolicy> const& plugin_policy_table();    // transfer
Table<JobPolicy> const& match_policy_table();     // match
Table<JobPolicy> const& limits_policy_table();    // limits
Table<JobPolicy> const& checkpoint_policy_table();

}  // namespace gridcast::scenario
