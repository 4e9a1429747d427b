// What a recorded campaign's jobs fetched: how many URLs, which, and how large. Transfers that ads tell
// one by one say it; without them TransferInput names the URLs, and sums of bytes say how much they
// were together.
#pragma once

#include <string>
#include <vector>

#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

/// URLs of the attempt that fetched most of them; else those of most jobs' TransferInput.
std::vector<std::string> fetched_urls(RecordedCampaign const& campaign,
                                      history::JobHistory const& history);

/// What the input of a job was together, the median: by the ads' sums of what plugins fetched, else what
/// executions received (004 and 005). Zero where nothing tells.
Bytes usual_input(RecordedCampaign const& campaign);

/// Sizes of URLs as the record's own transfers show them, the largest that arrived; and what all others
/// have together, where that is known.
KnownSizes known_sizes(RecordedCampaign const& campaign, history::JobHistory const& history);

/// Of these URLs, each: as known or as the URL itself says, else its share of what is left of the whole;
/// zero where nothing tells.
std::vector<Bytes> sizes_of(std::vector<std::string> const& urls, KnownSizes const& known);

}  // namespace gridcast::import
