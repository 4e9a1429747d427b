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
  AttemptRecords others = records;
  others.attempts.clear();
  std::map<std::int64_t, Part> weeks;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const number = static_cast<double>(week_of(attempt));
    auto const week_found =
        weeks.try_emplace(week_of(attempt), others, std::pair(week * number, week * (number + 1)));
    week_found.first->second.records.attempts.push_back(attempt);
  }
  std::vector<Part> parts;
  for (auto& [number, part] : weeks) parts.push_back(std::move(part));
  return parts;
}

}  // namespace gridcast::calibration
