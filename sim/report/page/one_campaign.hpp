// One campaign in full, behind a result: a real log, or a replica of a study.
#pragma once

#include <string>
#include <vector>

#include "sim/condor/logged_words.hpp"
#include "sim/engine/resource_trace.hpp"
#include "sim/history/job_history.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

struct OneCampaign {
  std::string what;  // "replica 3 of seed 1, strategy published", "c1.log"
  history::JobHistory history;
  ResultLedger ledger;  // of the history, with its jobs
  engine::ResourceTrace resources = {};
  std::vector<condor::LoggedWords> words = {};  // of a log
};

}  // namespace gridcast::report
