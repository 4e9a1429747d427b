#include "calibration/fits/presence_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridcast::calibration {

namespace {

constexpr Seconds day = days(1);
constexpr double enough_waiting = 0.5;  // of a day

enum class Seen { unknown, away, there };

using Spans = std::vector<std::pair<Seconds, Seconds>>;

/// Days that a span touches, the first of them and the one after the last; none before the record.
std::pair<std::size_t, std::size_t> days_of(std::pair<Seconds, Seconds> const& span,
                                            std::size_t number) {
  auto const first = static_cast<std::size_t>(std::max(0.0, std::floor(span.first / day)));
  auto const last = static_cast<std::size_t>(std::max(0.0, std::ceil(span.second / day)));
  return {std::min(first, number), std::min(std::max(last, first + 1), number)};
}

/// Share of each day that is within any of the spans.
std::vector<double> covered(Spans spans, std::size_t number) {
  std::sort(spans.begin(), spans.end());
  std::vector<double> shares(number);
  Seconds until;
  for (auto [from, to] : spans) {
    from = std::max(from, until);
    if (from >= to) continue;
    until = to;
    auto const [first, last] = days_of({from, to}, number);
    for (std::size_t d = first; d < last; ++d) {
      Seconds const begin = day * static_cast<double>(d);
      shares[d] += std::max(0.0, (std::min(to, begin + day) - std::max(from, begin)) / day);
    }
  }
  return shares;
}

PresenceCounts count_days(std::vector<Seen> const& seen) {
  PresenceCounts counts;
  for (std::size_t d = 0; d + 1 < seen.size(); ++d) {
    if (seen[d] == Seen::unknown || seen[d + 1] == Seen::unknown) continue;
    SiteCount& count = seen[d] == Seen::there ? counts.leaves : counts.returns;
    count.exposure += day.value();
    count.events += seen[d] != seen[d + 1] ? 1 : 0;
  }
  return counts;
}

/// Of each site, what each day of the record shows of it.
std::vector<std::vector<Seen>> seen_by_days(AttemptRecords const& records, std::size_t sites) {
  auto const number = static_cast<std::size_t>(std::max(1.0, std::ceil(records.end / day)));
  Spans waits;
  for (Waiting const& wait : records.waits) waits.emplace_back(wait.from, wait.to);
  std::vector<Seen> asked;
  for (double const share : covered(std::move(waits), number)) {
    asked.push_back(share >= enough_waiting ? Seen::away : Seen::unknown);
  }
  std::vector<std::vector<Seen>> seen(sites, asked);
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    auto const [first, last] = days_of({attempt.start, attempt.slot_end()}, number);
    auto& of_site = seen[attempt.site.index()];
    for (std::size_t d = first; d < last; ++d) of_site[d] = Seen::there;
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
    for (Seen const seen : of_site) days.push_back(seen == Seen::away);
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

Fit presence_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
                 std::size_t draws, RandomStreams const& streams) {
  std::vector<SiteCount> leaves, returns;
  for (PresenceCounts const& site : count_presence(records, sites.size())) {
    leaves.push_back(site.leaves);
    returns.push_back(site.returns);
  }
  Fit fit;
  if (total_of(leaves).events == 0 || total_of(returns).exposure == 0) return fit;
  Unseen const unseen{static_cast<double>(records.attempts.size())};
  add_pooled(fit, PooledAs::rate, "away_per_s", "days after which a site had gone, in time there",
             sites, leaves, unseen, draws, bootstrap_stream(streams, "away_per_s"));
  add_pooled(fit, PooledAs::rate, "back_per_s", "days after which it was back, in time away", sites,
             returns, unseen, draws, bootstrap_stream(streams, "back_per_s"));
  return fit;
}

}  // namespace gridcast::calibration
