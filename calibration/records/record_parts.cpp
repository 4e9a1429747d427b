#include "calibration/records/record_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gridcast::calibration {
namespace {

constexpr Seconds week = days(7);

std::int64_t week_of(AttemptRecord const& attempt) {
  return static_cast<std::int64_t>(std::floor(attempt.start / week));
}

}  // namespace

std::vector<Part> by_campaign(history::JobHistory const& history, AttemptRecords const& records,
                              std::vector<std::set<std::uint32_t>> const& campaigns) {
  std::vector<Part> parts;
  for (std::set<std::uint32_t> const& clusters : campaigns) {
    AttemptRecords part = records;
    std::erase_if(part.attempts, [&](AttemptRecord const& attempt) {
      return !clusters.contains(history.jobs[attempt.job.index()].cluster);
    });
    parts.push_back({std::move(part)});
  }
  return parts;
}

bool shows_weeks(AttemptRecords const& records) {
  constexpr std::size_t enough = 3;
  std::set<std::int64_t> weeks;
  for (AttemptRecord const& attempt : records.attempts) weeks.insert(week_of(attempt));
  return weeks.size() >= enough;
}

std::vector<Part> by_week(AttemptRecords const& records) {
  std::map<std::int64_t, Part> weeks;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const number = week_of(attempt);
    auto [found, fresh] = weeks.try_emplace(number);
    if (fresh) {
      AttemptRecords& part = found->second.records;
      part.holds = records.holds;
      part.waits = records.waits;
      part.end = records.end;
      part.ends = records.ends;
      part.tick = records.tick;
      part.log_scales = records.log_scales;
      part.crash_odds = records.crash_odds;
      part.epochs = records.epochs;
      found->second.span.emplace(week * static_cast<double>(number),
                                 week * static_cast<double>(number + 1));
    }
    found->second.records.attempts.push_back(attempt);
  }
  std::vector<Part> parts;
  for (auto& [number, part] : weeks) parts.push_back(std::move(part));
  return parts;
}

}  // namespace gridcast::calibration
