// One campaign in full, behind a result: a real log, or a replica of a study.
#pragma once

#include <string>

#include "sim/engine/resource_trace.hpp"
#include "sim/history/job_history.hpp"
#include "sim/report/result.hpp"

namespace gridcast {

struct OneCampaign {
  std::string what;  // "replica 3 of seed 1, strategy published", "c1.log"
  JobHistory history;
  ResultLedger ledger;  // of the history, with its jobs
  ResourceTrace resources = {};
};

}  // namespace gridcast
