// Sites come and go: an allocation is used up, a partition is full of others' jobs or closed for
// maintenance, a pilot that the owner has requested from a cluster comes to its end. A record shows
// it by days. On a day a site is
//   there    a job held one of its slots
//   away     none did, and jobs waited for half of the day at least
//   unknown  else: no job waited
// and of days that follow each other and are both known,
//   leaves ~ Poisson(rate x days there),   returns ~ Poisson(rate x days away)
// each rate Gamma between sites (partial_pooling.hpp). A record of less than three weeks shows
// neither: sites are there always.
#pragma once

#include <vector>

#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Exposure in seconds.
struct PresenceCounts {
  SiteCount leaves, returns;
};

/// Counts of each site.
std::vector<PresenceCounts> count_presence(AttemptRecords const& records, std::size_t sites);

/// For each site, the days of the record (from 0) on which it was away.
using DaysAway = std::vector<std::vector<bool>>;
DaysAway days_away(AttemptRecords const& records, std::size_t sites);

/// Whether a site was away on a day of [from, to].
bool away_between(DaysAway const& days, std::size_t site, Seconds from, Seconds to);

}  // namespace gridcast::calibration
