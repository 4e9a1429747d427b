// The sources of a forecast, on one screen for `forecast --explain`: the parameters learnt from
// each record, those borrowed, the parts left out and why, and the fits that a test rejects.
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
      notes;  // on commands of the new job that are changed or ignored
};

std::string sources_text(ForecastSources const& sources);

}  // namespace gridcast::cli
