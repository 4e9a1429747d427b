#include "calibration/pool_from_log.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "calibration/pilot_record.hpp"

namespace gridcast::calibration {

namespace {

struct Peak {
  int jobs = 0;
  Seconds time;  // with so many
  Seconds idle;  // of it, with jobs waiting
};

// At one time ends come before starts, so that a slot that changes hands is one slot. A peak that
// lasts no time is stamps' rounding.
Peak peak(std::vector<std::pair<Seconds, int>> changes, std::vector<Waiting> const& waits) {
  std::sort(changes.begin(), changes.end());
  Peak best;
  int jobs = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    jobs += changes[i].second;
    if (i + 1 == changes.size() || changes[i + 1].first == changes[i].first) continue;
    Seconds const from = changes[i].first;
    Seconds const to = changes[i + 1].first;
    if (jobs < best.jobs || jobs == 0) continue;
    if (jobs > best.jobs) best = {jobs, {}, {}};
    best.time += to - from;
    bool const waiting = std::any_of(waits.begin(), waits.end(), [&](Waiting const& wait) {
      return wait.from < to && from < wait.to;
    });
    if (waiting) best.idle += to - from;
  }
  return best;
}

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::vector<SlotCount> count_slots(history::JobHistory const& history,
                                   AttemptRecords const& records) {
  std::vector<SlotCount> counts;
  PilotRecords const pilots = make_pilot_records(history, records);
  for (std::size_t s = 0; s < history.sites.size(); ++s) {
    std::vector<std::pair<Seconds, int>> changes;
    SlotCount count;
    count.site = history.sites[s];
    for (AttemptRecord const& attempt : records.attempts) {
      if (!attempt.site.valid() || attempt.site.index() != s) continue;
      changes.push_back({attempt.start, 1});
      changes.push_back({attempt.slot_end(), -1});
      ++count.attempts;
    }
    Peak const most = peak(changes, records.waits);
    count.slots = std::max(1, most.jobs);
    count.saturated = 2 * most.idle.value() >= most.time.value() && most.time.value() > 0;
    for (PilotRecord const& pilot : pilots.pilots) {
      if (pilot.site.index() != s) continue;
      ++count.pilots;
      count.slots_per_pilot = std::max(count.slots_per_pilot, pilot.most_jobs);
    }
    count.slots_per_pilot = std::min(count.slots_per_pilot, count.slots);
    counts.push_back(count);
  }
  return counts;
}

std::string pool_yaml(std::vector<SlotCount> const& slots, std::string const& command,
                      Seconds policy_interval) {
  std::string text = fmt::format(
      "# The pool as a campaign's log shows it: sites, the most slots that ran jobs at one time,\n"
      "# and how many of them share a pilot. Made by:\n"
      "#   {}\n"
      "schema: gridcast.pool/1\n"
      "sites:\n",
      command);
  for (SlotCount const& site : slots) {
    text += fmt::format("  # {} attempts on {} pilots{}\n", site.attempts, site.pilots,
                        site.saturated ? "" : "; jobs never waited for more: there may be more");
    text += fmt::format("  - {{name: {}, slots: {}, slots_per_pilot: {}}}\n", quoted(site.site),
                        site.slots, site.slots_per_pilot);
  }
  text += fmt::format("access_point: {{policy_interval: {:.0f} s}}\n", policy_interval.value());
  return text;
}

}  // namespace gridcast::calibration
