#include "sim/ledger/black_holes.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/machine.hpp"
#include "sim/ledger/retries.hpp"

namespace gridcast::ledger {
namespace {

constexpr std::size_t least_failures = 3;
constexpr double chance = 1e-3;

bool is_black_hole(HostAttempts const& host, HostAttempts const& all, std::size_t hosts) {
  HostAttempts const others{"", "", all.ended - host.ended, all.failed - host.failed, Seconds()};
  if (host.failed < least_failures || 2 * host.failed <= host.ended || others.ended == 0) {
    return false;
  }
  if (host.share() < 2 * others.share()) return false;
  double const p = p_of_difference({host.ended, host.ended - host.failed},
                                   {others.ended, others.ended - others.failed});
  return p * static_cast<double>(hosts) < chance;
}

}  // namespace

BlackHoles find_black_holes(history::JobHistory const& history) {
  std::map<std::string, HostAttempts> by_host;
  BlackHoles found;
  for (history::Attempt const& attempt : history::attempts_of(history)) {
    std::string const host = history::machine_of(history, attempt.slot);
    bool const by_owner = attempt.end == history::EventKind::aborted;
    if (host.empty() || !attempt.ended || by_owner) continue;
    HostAttempts& account = by_host[host];
    account.host = host;
    if (attempt.site.valid()) account.site = history.sites[attempt.site.index()];
    bool const failed = attempt.end != history::EventKind::terminated || !attempt.useful;
    for (HostAttempts* const each : {&account, &found.all}) {
      ++each->ended;
      each->failed += failed ? 1 : 0;
      if (failed) each->lost += *attempt.ended - attempt.matched;
    }
  }
  found.hosts_seen = by_host.size();
  for (auto const& [name, host] : by_host) {
    if (is_black_hole(host, found.all, by_host.size())) found.hosts.push_back(host);
  }
  std::stable_sort(found.hosts.begin(), found.hosts.end(),
                   [](auto const& a, auto const& b) { return a.lost > b.lost; });
  return found;
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
