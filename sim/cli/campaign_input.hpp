// The files of one recorded campaign, as given on a command line: event logs and ads in any order,
// merged.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::cli {

struct CampaignInput {
  history::JobHistory history;
  std::string remarks;                // lines on what was read, for standard error
  std::string executable, arguments;  // of the first job that an ad tells them of
  std::vector<std::string> urls;      // that a job fetches, in order
};

CampaignInput read_campaign_input(std::vector<std::filesystem::path> const& files,
                                  condor::ReadLogOptions const& options);

}  // namespace gridcast::cli
