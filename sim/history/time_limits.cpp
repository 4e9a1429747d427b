#include "sim/history/time_limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"

namespace gridcast::history {
namespace {

constexpr std::size_t fewest = 3;
constexpr double same_share = 0.005;
constexpr Seconds same_time = minutes(1), shortest = minutes(10);

struct Execution {
  Seconds began, length;
  Id<Site> site;
  std::uint32_t end = 0;  // its event
  bool cut_off = false;   // without a result, and without another reason
};

bool may_be_limit(JobEvent const& event) {
  using enum Reason;
  if (!is_one_of(event.reason, {none, unknown, manual})) return false;
  // A program that fails by itself says so by its exit code.
  bool const stopped = event.kind == EventKind::terminated && !event.useful && event.exit_code == 0;
  bool const held = event.kind == EventKind::held && event.code == 0;
  return stopped || held || event.kind == EventKind::aborted;
}

std::vector<Execution> executions_of(JobHistory const& history) {
  std::vector<Execution> found;
  for (auto const& events : events_by_job(history)) {
    JobEvent const* began = nullptr;
    for (std::uint32_t const index : events) {
      JobEvent const& event = history.events[index];
      if (event.kind == EventKind::executing) began = &event;
      if (!ends_attempt(event.kind) || began == nullptr) continue;
      found.push_back({began->at, event.at - began->at, began->site, index, may_be_limit(event)});
      began = nullptr;
    }
  }
  return found;
}

/// Those at the longest length of all that were cut off.
std::vector<Execution> at_one_length(std::vector<Execution> const& all) {
  Seconds longest;
  for (Execution const& each : all) {
    if (each.cut_off) longest = std::max(longest, each.length);
  }
  Seconds const near = std::max(same_time, same_share * longest);
  std::vector<Execution> found;
  for (Execution const& each : all) {
    if (each.cut_off && each.length >= longest - near) found.push_back(each);
  }
  std::set<Id<Site>> sites;
  for (Execution const& each : found) sites.insert(each.site);
  bool const outlived = std::any_of(all.begin(), all.end(), [&](Execution const& each) {
    return sites.contains(each.site) && each.length > longest + near;
  });
  if (outlived || longest < shortest) found.clear();
  return found;
}

/// Those that began together count once: one shutdown may have ended them.
std::size_t apart(std::vector<Execution> executions) {
  std::sort(executions.begin(), executions.end(),
            [](auto const& a, auto const& b) { return a.began < b.began; });
  std::size_t count = 0;
  Seconds last;
  for (Execution const& each : executions) {
    if (count > 0 && each.began - last < same_time) continue;
    ++count;
    last = each.began;
  }
  return count;
}

}  // namespace

std::string mark_time_limits(JobHistory& history) {
  if (!history.dated) return "";
  auto const cut_off = at_one_length(executions_of(history));
  if (apart(cut_off) < fewest) return "";
  std::set<std::string> sites;
  Seconds longest;
  for (Execution const& each : cut_off) {
    history.events[each.end].reason = Reason::execution_too_long;
    longest = std::max(longest, each.length);
    if (each.site.valid()) sites.insert(history.sites[each.site.index()]);
  }
  constexpr std::size_t most_named = 3;
  std::string const where = sites.empty() || sites.size() > most_named
                                ? ""
                                : fmt::format(" at {}", fmt::join(sites, ", "));
  return fmt::format(
      "{} ended after {}{} without a result, and none was longer: a time limit of {}\n",
      counted(cut_off.size(), "execution"), to_text(longest), where, to_text(longest));
}

}  // namespace gridcast::history
