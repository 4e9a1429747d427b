// The result of one simulated campaign, and its page.
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli/report_file.hpp"
#include "sim/engine/replica.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// Which campaign was simulated.
struct PlayedCampaign {
  scenario::Scenario const& scenario;
  scenario::Strategy const& strategy;
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
};

/// The ledger, and of what it is.
report::Result result_of(PlayedCampaign const& campaign, ledger::Ledger const& ledger,
                         bool with_jobs = false);

/// `played`: with its history. Nothing without --report.
void write_run_report(ReportArguments const& arguments, PlayedCampaign const& campaign,
                      engine::Replica const& played);

/// "replica 3 of seed 1, strategy published".
std::string words_for(PlayedCampaign const& campaign);

}  // namespace gridcast::cli
