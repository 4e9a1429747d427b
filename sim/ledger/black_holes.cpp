#include "sim/ledger/black_holes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::ledger {
namespace {

constexpr std::size_t least_failures = 3;
constexpr double chance = 1e-3;

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// Two-sided p of Fisher's exact test that two groups fail equally often: the sum of the
/// probabilities of all tables with the same margins that are no likelier than this one.
double p_of_difference(HostAttempts const& a, HostAttempts const& b) {
  auto const n = static_cast<double>(a.ended), m = static_cast<double>(b.ended);
  auto const hits = static_cast<double>(a.ended - a.failed + b.ended - b.failed);
  auto const log_p = [&](double k) {
    return log_choose(n, k) + log_choose(m, hits - k) - log_choose(n + m, hits);
  };
  constexpr double rounding = 1e-7;
  double const seen = log_p(static_cast<double>(a.ended - a.failed));
  double p = 0;
  for (double k = std::max(0., hits - m); k <= std::min(n, hits); k += 1) {
    if (log_p(k) <= seen + rounding) p += std::exp(log_p(k));
  }
  return std::min(1., p);
}

bool is_black_hole(HostAttempts const& host, HostAttempts const& all, std::size_t hosts) {
  HostAttempts const others{"", "", all.ended - host.ended, all.failed - host.failed, Seconds()};
  if (host.failed < least_failures || 2 * host.failed <= host.ended || others.ended == 0) {
    return false;
  }
  if (host.share() < 2 * others.share()) return false;
  return p_of_difference(host, others) * static_cast<double>(hosts) < chance;
}

/// The ending of an attempt.
struct Outcome {
  history::EventKind end;
  bool useful = true;
  Seconds took;
};

/// The attempts of each host.
class Accounts {
 public:
  void add(std::string const& host, std::string const& site, Outcome const& outcome) {
    bool const by_owner = outcome.end == history::EventKind::aborted;
    if (by_owner) return;
    HostAttempts& account = by_host_[host];
    account.host = host;
    if (!site.empty()) account.site = site;
    bool const failed = outcome.end != history::EventKind::terminated || !outcome.useful;
    for (HostAttempts* const each : {&account, &all_}) {
      ++each->ended;
      each->failed += failed ? 1 : 0;
      if (failed) each->lost += outcome.took;
    }
  }

  BlackHoles black_holes() const {
    BlackHoles found{{}, all_, by_host_.size()};
    for (auto const& [name, host] : by_host_) {
      if (is_black_hole(host, all_, by_host_.size())) found.hosts.push_back(host);
    }
    std::stable_sort(found.hosts.begin(), found.hosts.end(),
                     [](auto const& a, auto const& b) { return a.lost > b.lost; });
    return found;
  }

 private:
  std::map<std::string, HostAttempts> by_host_;
  HostAttempts all_;
};

}  // namespace

BlackHoles find_black_holes(history::JobHistory const& history) {
  Accounts accounts;
  for (history::Attempt const& attempt : history::attempts_of(history)) {
    std::string const host = history::machine_of(history, attempt.slot);
    if (host.empty() || !attempt.ended) continue;
    accounts.add(host, attempt.site.valid() ? history.sites[attempt.site.index()] : "",
                 {attempt.end, attempt.useful, *attempt.ended - attempt.matched});
  }
  return accounts.black_holes();
}

BlackHoles find_black_holes(history::RecordedJobs const& recorded) {
  Accounts accounts;
  for (history::RecordedJob const& job : recorded.jobs) {
    for (history::RecordedAttempt const& attempt : job.attempts) {
      if (attempt.host == 0 || attempt.open || attempt.in_queue) continue;
      accounts.add(recorded.hosts[attempt.host - 1],
                   attempt.site.valid() ? recorded.names.sites[attempt.site.index()] : "",
                   {attempt.ended_by, attempt.useful, attempt.slot_time()});
    }
  }
  return accounts.black_holes();
}

std::string requirements_without(std::vector<HostAttempts> const& hosts) {
  std::vector<std::string> parts;
  for (HostAttempts const& host : hosts) {
    bool const is_address = host.host.find_first_not_of("0123456789.") == std::string::npos;
    std::string dots = host.host;
    for (std::size_t at = dots.find('.'); at != std::string::npos; at = dots.find('.', at + 3)) {
      dots.replace(at, 1, "[.]");
    }
    parts.push_back(is_address ? fmt::format("!regexp(\"^<{}:\", MyAddress)", dots)
                               : fmt::format("(Machine != \"{}\")", host.host));
  }
  return fmt::format("{}", fmt::join(parts, " && "));
}

}  // namespace gridcast::ledger
