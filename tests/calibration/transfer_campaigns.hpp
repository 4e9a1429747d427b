// The campaigns of calibration/data/htcondor-transfer, as a user would read them.
#pragma once

#include <filesystem>
#include <string>

#include "sim/condor/ads/merge_ads.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

inline std::filesystem::path transfer_campaign(std::string const& name) {
  return source_dir() / "calibration/data/htcondor-transfer" / name;
}

inline history::JobHistory transfer_history(std::string const& name) {
  auto const folder = transfer_campaign(name);
  condor::MergeReport report;
  return condor::merge(condor::read_logs({folder / (name + ".log")}),
                       condor::read_job_ads({folder / "epochs.INPUT.json"}), report)
      .history;
}

/// A log without ads: whole seconds, and neither sizes nor caches. In calibration/data.
inline history::JobHistory history_of_log(std::filesystem::path const& log) {
  condor::MergeReport report;
  return condor::merge(condor::read_logs({source_dir() / "calibration/data" / log}), {}, report)
      .history;
}

}  // namespace gridcast::test
