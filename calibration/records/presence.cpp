#include "calibration/records/presence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/records/waits.hpp"

namespace gridcast::calibration {

namespace {

constexpr Seconds day = days(1);
constexpr double enough_waiting = 0.5;  // of a day

enum class SiteState { unknown, away, there };

/// Days that a span touches, the first of them and the one after the last; none before the record.
std::pair<std::size_t, std::size_t> days_of(std::pair<Seconds, Seconds> const& span,
                                            std::size_t number) {
  auto const first = static_cast<std::size_t>(std::max(0.0, std::floor(span.first / day)));
  auto const last = static_cast<std::size_t>(std::max(0.0, std::ceil(span.second / day)));
  return {std::min(first, number), std::min(std::max(last, first + 1), number)};
}

/// Share of each day that is within any of the spans.
std::vector<double> covered(std::vector<TimeSpan> const& spans, std::size_t number) {
  std::vector<double> shares(number);
  for (std::size_t d = 0; d < number; ++d) {
    Seconds const begin = day * static_cast<double>(d);
    shares[d] = time_within(spans, begin, begin + day) / day;
  }
  return shares;
}

PresenceCounts count_days(std::vector<SiteState> const& seen) {
  PresenceCounts counts;
  for (std::size_t d = 0; d + 1 < seen.size(); ++d) {
    if (seen[d] == SiteState::unknown || seen[d + 1] == SiteState::unknown) continue;
    SiteCount& count = seen[d] == SiteState::there ? counts.leaves : counts.returns;
    count.exposure += day.value();
    count.events += seen[d] != seen[d + 1] ? 1 : 0;
  }
  return counts;
}

/// The state of each site on each day of the record.
std::vector<std::vector<SiteState>> seen_by_days(AttemptRecords const& records, std::size_t sites) {
  auto const number = static_cast<std::size_t>(std::max(1.0, std::ceil(records.end / day)));
  WaitsBySite const waits(records);
  std::vector<std::vector<SiteState>> seen(sites);
  for (std::size_t s = 0; s < sites; ++s) {
    for (double const share : covered(waits.at(s), number)) {
      seen[s].push_back(share >= enough_waiting ? SiteState::away : SiteState::unknown);
    }
  }
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    auto const [first, last] = days_of({attempt.start, attempt.slot_end()}, number);
    auto& of_site = seen[attempt.site.index()];
    for (std::size_t d = first; d < last; ++d) of_site[d] = SiteState::there;
  }
  return seen;
}

}  // namespace

std::vector<PresenceCounts> count_presence(AttemptRecords const& records, std::size_t sites) {
  std::vector<PresenceCounts> counts;
  for (auto const& of_site : seen_by_days(records, sites)) counts.push_back(count_days(of_site));
  return counts;
}

DaysAway days_away(AttemptRecords const& records, std::size_t sites) {
  DaysAway away;
  for (auto const& of_site : seen_by_days(records, sites)) {
    auto& days = away.emplace_back();
    for (SiteState const seen : of_site) days.push_back(seen == SiteState::away);
  }
  return away;
}

bool away_between(DaysAway const& days, std::size_t site, Seconds from, Seconds to) {
  if (site >= days.size()) return false;
  auto const [first, last] = days_of({from, to}, days[site].size());
  bool away = false;
  for (std::size_t d = first; d < last; ++d) away = away || days[site][d];
  return away;
}

}  // namespace gridcast::calibration
