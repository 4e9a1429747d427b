#include "sim/ledger/black_holes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
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

/// An attempt that continues.
struct OpenAttempt {
  std::string host;
  Seconds age;
};

/// `others`: the attempts elsewhere that ended.
bool is_black_hole(HostAttempts const& host, HostAttempts const& others, std::size_t hosts) {
  if (others.ended == 0 || host.share() < 2 * others.share()) return false;
  return p_of_difference(host, others) * static_cast<double>(hosts) < chance;
}

bool fails_often(HostAttempts const& host) {
  return host.failed >= least_failures && 2 * host.failed > host.ended;
}

/// True if the attempt gave no result of use.
bool has_failed(history::EventKind end, bool useful) {
  return end != history::EventKind::terminated || !useful;
}

/// An attempt that its owner removed shows nothing about its host.
bool counts(history::EventKind end) { return end != history::EventKind::aborted; }

void add(HostAttempts& sum, HostAttempts const& more) {
  sum.ended += more.ended;
  sum.failed += more.failed;
  sum.lost += more.lost;
  sum.longest = std::max(sum.longest, more.longest);
}

void add_attempt(HostAttempts& account, bool failed, Seconds took) {
  Seconds const lost = failed ? took : Seconds();
  add(account, {"", "", 1, failed ? 1U : 0U, lost, lost});
}

/// The attempts of each host.
class Accounts {
 public:
  void add(std::string const& host, std::string const& site, HostAttempts const& attempts) {
    if (attempts.ended == 0) return;
    HostAttempts& account = by_host_[host];
    account.host = host;
    if (!site.empty()) account.site = site;
    ledger::add(account, attempts);
    ledger::add(all_, attempts);
  }

  void add_open(std::string const& host, Seconds age) { open_.push_back({host, age}); }

  BlackHoles black_holes() const {
    BlackHoles found{{}, all_, by_host_.size()};
    for (HostAttempts const* host : apart()) found.hosts.push_back(*host);
    std::ranges::stable_sort(found.hosts, std::greater<>(), &HostAttempts::lost);
    return found;
  }

 private:
  using Hosts = std::vector<HostAttempts const*>;

  /// The hosts that fail far more often than all that are not among them. One that does not is one
  /// of the others, from the least failing up, until nothing changes.
  Hosts apart() const {
    Hosts suspects;
    HostAttempts others = all_;
    std::set<std::string_view> names;
    for (auto const& [name, host] : by_host_) {
      if (!fails_often(host)) continue;
      suspects.push_back(&host);
      names.insert(name);
      others.ended -= host.ended;
      others.failed -= host.failed;
    }
    std::ranges::stable_sort(suspects, {}, [](auto const* host) { return host->share(); });
    std::size_t before = 0;
    do {
      before = suspects.size();
      std::erase_if(suspects, [&](HostAttempts const* host) {
        if (is_black_hole(*host, with_open(others, *host, names), by_host_.size())) return false;
        names.erase(host->host);
        others.ended += host->ended;
        others.failed += host->failed;
        return true;
      });
    } while (suspects.size() < before);
    return suspects;
  }

  HostAttempts with_open(HostAttempts others, HostAttempts const& suspect,
                         std::set<std::string_view> const& suspects) const {
    others.ended += static_cast<std::size_t>(std::ranges::count_if(open_, [&](auto const& each) {
      return each.age > suspect.longest * 2 && !suspects.contains(each.host);
    }));
    return others;
  }

  std::map<std::string, HostAttempts> by_host_;
  HostAttempts all_;
  std::vector<OpenAttempt> open_;
};

/// The regular expression of an address as MyAddress has it: 192[.]0[.]2[.]7, or
/// [[]2001:db8::7[]]. None for a name.
std::optional<std::string> pattern_of_address(std::string const& host) {
  bool const v6 = std::ranges::count(host, ':') > 1 &&
                  host.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos;
  if (!v6 && host.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  std::string pattern;
  for (char const letter : host) pattern += letter == '.' ? "[.]" : std::string(1, letter);
  return v6 ? "[[]" + pattern + "[]]" : pattern;
}

}  // namespace

SlotOutcomes::SlotOutcomes() : follower_([this](auto const& attempt) { count(attempt); }) {}

void SlotOutcomes::count(history::Attempt const& attempt) {
  if (!attempt.ended) open_.emplace_back(attempt.slot, attempt.matched);
  if (!attempt.ended || !counts(attempt.end)) return;
  Slot& slot = slots_[attempt.slot];
  if (attempt.site.valid()) slot.site = attempt.site;
  add_attempt(slot.attempts, has_failed(attempt.end, attempt.useful),
              *attempt.ended - attempt.matched);
}

BlackHoles SlotOutcomes::black_holes(history::JobHistory const& source) {
  follower_.finish();
  Accounts accounts;
  for (auto const& [number, slot] : slots_) {
    std::string const host = history::machine_of(source, number);
    if (host.empty()) continue;
    accounts.add(host, slot.site.valid() ? source.sites[slot.site.index()] : "", slot.attempts);
  }
  Seconds const until = std::max(latest_, source.seen_until.value_or(Seconds()));
  for (auto const& [slot, matched] : open_)
    accounts.add_open(history::machine_of(source, slot), until - matched);
  return accounts.black_holes();
}

BlackHoles find_black_holes(history::JobHistory const& history) {
  SlotOutcomes outcomes;
  history::each_step(history.events, [&](auto const& step) { outcomes.add(step); });
  return outcomes.black_holes(history);
}

BlackHoles find_black_holes(history::RecordedJobs const& recorded) {
  Accounts accounts;
  for (history::RecordedJob const& job : recorded.jobs) {
    for (history::RecordedAttempt const& attempt : job.attempts) {
      if (attempt.host == 0 || attempt.in_queue) continue;
      if (attempt.open) accounts.add_open(recorded.hosts[attempt.host - 1], attempt.slot_time());
      if (attempt.open || !counts(attempt.ended_by)) continue;
      HostAttempts one;
      add_attempt(one, has_failed(attempt.ended_by, attempt.useful), attempt.slot_time());
      accounts.add(recorded.hosts[attempt.host - 1],
                   attempt.site.valid() ? recorded.names.sites[attempt.site.index()] : "", one);
    }
  }
  return accounts.black_holes();
}

std::string requirements_without(std::vector<HostAttempts> const& hosts) {
  std::vector<std::string> parts;
  for (HostAttempts const& host : hosts) {
    auto const address = pattern_of_address(host.host);
    parts.push_back(address ? fmt::format("!regexp(\"^<{}:\", MyAddress)", *address)
                            : fmt::format("(Machine != \"{}\")", host.host));
  }
  return fmt::format("{}", fmt::join(parts, " && "));
}

}  // namespace gridcast::ledger
