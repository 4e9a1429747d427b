// What `forecast --explain` says of its sources, in a screenful: what was learnt from which record,
// what was borrowed, what was left out and why, which fits a test rejects.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/calibrate.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::cli {

struct ForecastSources {
  CalibratedLogs const& learnt;
  import::CampaignFiles const& files;
  std::filesystem::path submit;  // of the records' jobs; empty: not given
  std::vector<condor::SubmitNote> const&
      notes;  // what of the job to come is not taken as it stands
};

std::string sources_text(ForecastSources const& sources);

}  // namespace gridcast::cli
