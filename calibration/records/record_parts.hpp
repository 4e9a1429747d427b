// Records of several campaigns, or of several weeks of one, apart: the spread between the parts is
// the spread between campaigns.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// A campaign's records, or a week's of the only campaign, and when its jobs could be removed.
struct Part {
  AttemptRecords records;
  std::optional<std::pair<Seconds, Seconds>> span = std::nullopt;  // none: all of the record
};

/// `campaigns`: the cluster numbers of each.
std::vector<Part> by_campaign(history::JobHistory const& history, AttemptRecords const& records,
                              std::vector<std::set<std::uint32_t>> const& campaigns);

/// True if the record has three weeks or more, which show how weeks differ.
bool shows_weeks(AttemptRecords const& records);
std::vector<Part> by_week(AttemptRecords const& records);

}  // namespace gridcast::calibration
