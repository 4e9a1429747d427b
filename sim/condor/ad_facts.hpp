// The attributes of one ad, put where JobAdFacts, AttemptAdFacts and UrlTransferAd have them. Names
// of attributes are compared without regard to case ("ProcId" of a job's ad is "ProcID" of a
// transfer's).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/condor/ad_text.hpp"
#include "sim/condor/job_ads.hpp"

namespace gridcast::condor {

/// What says which ad it is.
struct AdIdentity {
  std::optional<std::uint32_t> cluster, proc, attempt;
  std::string type;  // HISTORY, EPOCH, INPUT, OUTPUT, CHECKPOINT, or what the source calls it
};
AdIdentity identity_of(TextAd const& ad);

/// Each returns how many values are of no use: of another type, or out of all bounds.
std::size_t fill(JobAdFacts& facts, TextAd const& ad);
std::size_t fill(AttemptAdFacts& facts, TextAd const& ad);
std::size_t fill(std::vector<UrlTransferAd>& transfers, TextAd const& ad, std::uint32_t attempt);

/// Drops what cannot be this attempt's own; returns how many values that were.
std::size_t drop_what_others_left(AttemptAdFacts& facts);

}  // namespace gridcast::condor
