#include "calibration/records/pilot_records.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "calibration/records/waits.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t fewest_in_outage = 3;  // jobs, and at least half of those that run

/// For good, and with no answer: where the slot's startd answers that there is no such job, it
/// lives.
bool lost(AttemptRecord const& attempt) {
  if (!ended_without_contact(attempt)) return false;
  bool const answered = attempt.reason != history::Reason::pilot_ended &&
                        !attempt.disconnections.empty() &&
                        (attempt.end - attempt.slot_end()).value() <= same_instant.value();
  return !answered;
}

std::size_t running_at(AttemptRecords const& records, Seconds at) {
  return static_cast<std::size_t>(std::ranges::count_if(records.attempts, [&](auto const& attempt) {
    return attempt.start <= at && at <= attempt.end;
  }));
}

void measure(PilotRecord& pilot, AttemptRecords const& records) {
  std::vector<std::pair<Seconds, int>> changes;
  for (std::size_t const i : pilot.attempts) {
    changes.push_back({records.attempts[i].start, 1});
    changes.push_back({records.attempts[i].slot_end(), -1});
  }
  std::ranges::sort(changes);  // at one time, ends first
  int jobs = 0;
  Seconds since;
  for (auto const& [at, change] : changes) {
    if (jobs > 0) pilot.seen += at - since;
    jobs += change;
    since = at;
    pilot.most_jobs = std::max(pilot.most_jobs, jobs);
  }
}

/// One death shows in each of its jobs.
void join(std::vector<Seconds>& deaths) {
  std::ranges::sort(deaths);
  auto const same = [](Seconds a, Seconds b) { return (b - a).value() <= same_instant.value(); };
  deaths.erase(std::unique(deaths.begin(), deaths.end(), same), deaths.end());
}

struct Peak {
  int jobs = 0;
  Seconds time;  // with so many
  Seconds idle;  // of it, with jobs waiting
};

// At equal times, ends come before starts: a slot that changes hands is one slot. A peak of zero
// duration comes from rounded time stamps.
Peak peak(std::vector<std::pair<Seconds, int>> changes, std::vector<TimeSpan> const& waiting) {
  std::ranges::sort(changes);
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
    best.idle += time_within(waiting, from, to);
  }
  return best;
}

/// The most GPUs that these attempts had at one time.
int most_gpus(std::vector<AttemptRecord const*> const& attempts) {
  std::vector<std::pair<Seconds, int>> changes;
  for (AttemptRecord const* const attempt : attempts) {
    changes.push_back({attempt->start, attempt->gpus});
    changes.push_back({attempt->slot_end(), -attempt->gpus});
  }
  std::ranges::sort(changes);  // at one time, ends first
  int now = 0;
  int most = 0;
  for (auto const& change : changes) most = std::max(most, now += change.second);
  return most;
}

/// Pilots with their attempts and the time in which jobs were on them. Without names of slots, a
/// site is taken for one pilot of each slot's number.
std::vector<PilotRecord> pilots_of(history::JobHistory const& history,
                                   AttemptRecords const& records) {
  std::vector<PilotRecord> pilots;
  std::map<std::pair<std::size_t, std::string>, std::size_t> index;
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    if (!attempt.site.valid()) continue;
    std::string const name =
        attempt.slot_known ? pilot_of(history.slots[attempt.slot]) : std::to_string(attempt.slot);
    auto const [at, added] = index.try_emplace({attempt.site.index(), name}, pilots.size());
    if (added) pilots.push_back({name, attempt.site, {}, {}, 0, {}});
    pilots[at->second].attempts.push_back(i);
  }
  for (PilotRecord& pilot : pilots) {
    std::ranges::sort(pilot.attempts, [&](auto a, auto b) {
      return records.attempts[a].start < records.attempts[b].start;
    });
    measure(pilot, records);
  }
  return pilots;
}

/// A pilot is dead when all that ran on it then is lost for good, and nothing starts before.
bool survived(PilotRecord const& pilot, Seconds at, AttemptRecords const& records) {
  Seconds const soon = at + same_instant;
  return std::ranges::any_of(pilot.attempts, [&](std::size_t i) {
    AttemptRecord const& attempt = records.attempts[i];
    bool const ran = attempt.start <= at && attempt.end > soon;
    return ran && !(lost(attempt) && attempt.slot_end() <= soon);
  });
}

/// A cut that is not mended well cuts again and again: the first of an attempt counts.
bool has_own_cut(AttemptRecord const& attempt, PilotRecords const& pilots, bool with_pilot) {
  auto const& cuts = attempt.disconnections;
  if (cuts.empty() || (with_pilot && cuts.size() == 1)) return false;
  return !in_outage(pilots.access_point_outages, cuts.front().at);
}

}  // namespace

std::string pilot_of(std::string const& slot) {
  auto const at = slot.find('@');
  return at == std::string::npos ? slot : slot.substr(at + 1);
}

std::vector<AccessPointOutage> access_point_outages(AttemptRecords const& records) {
  struct Cut {
    double at;
    std::size_t site;
    std::optional<Seconds> back;
  };
  std::vector<Cut> cuts;
  for (AttemptRecord const& attempt : records.attempts) {
    for (Disconnection const& one : attempt.disconnections) {
      cuts.push_back(
          {one.at.value(), attempt.site.valid() ? attempt.site.index() : SIZE_MAX, one.back});
    }
  }
  std::ranges::sort(cuts, [](auto const& a, auto const& b) { return a.at < b.at; });
  std::vector<AccessPointOutage> outages;
  for (std::size_t i = 0; i < cuts.size();) {
    std::size_t next = i;
    bool many_sites = false;
    AccessPointOutage outage{Seconds(cuts[i].at), std::nullopt};
    while (next < cuts.size() && cuts[next].at <= cuts[i].at + same_instant.value()) {
      many_sites = many_sites || cuts[next].site != cuts[i].site;
      if (cuts[next].back)
        outage.back = std::max(outage.back.value_or(Seconds()), *cuts[next].back);
      ++next;
    }
    std::size_t const together = next - i;
    if (many_sites && together >= fewest_in_outage &&
        2 * together >= running_at(records, Seconds(cuts[i].at))) {
      outages.push_back(outage);
      i = next;
    } else {
      ++i;
    }
  }
  return outages;
}

bool in_outage(std::vector<AccessPointOutage> const& outages, Seconds at) {
  return std::ranges::any_of(outages, [&](AccessPointOutage const& outage) {
    return outage.at <= at && (at - outage.at).value() <= same_instant.value();
  });
}

PilotRecords make_pilot_records(history::JobHistory const& history, AttemptRecords const& records) {
  PilotRecords result;
  result.pilots = pilots_of(history, records);
  result.access_point_outages = access_point_outages(records);
  for (AttemptRecord const& attempt : records.attempts) {
    auto const& cuts = attempt.disconnections;
    result.by_outage.push_back(std::ranges::any_of(
        cuts, [&](auto const& cut) { return in_outage(result.access_point_outages, cut.at); }));
  }
  result.by_pilot.resize(records.attempts.size());
  for (PilotRecord& pilot : result.pilots) {
    for (std::size_t const i : pilot.attempts) {
      AttemptRecord const& one = records.attempts[i];
      if (shut_down(one)) pilot.shut_down.push_back(one.slot_end());
      if (!lost(one) || result.by_outage[i] || survived(pilot, one.slot_end(), records)) continue;
      result.by_pilot[i] = true;
      pilot.deaths.push_back(one.slot_end());
    }
    join(pilot.deaths);
    join(pilot.shut_down);
  }
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    bool const own = has_own_cut(records.attempts[i], result, result.by_pilot[i]);
    result.own_disconnections.push_back(own ? 1 : 0);
  }
  return result;
}

std::vector<SlotCount> count_slots(history::JobHistory const& history,
                                   AttemptRecords const& records) {
  std::vector<SlotCount> counts;
  PilotRecords const pilots = make_pilot_records(history, records);
  WaitsBySite const waits(records);
  for (std::size_t s = 0; s < history.sites.size(); ++s) {
    std::vector<std::pair<Seconds, int>> changes;
    std::vector<AttemptRecord const*> attempts;
    SlotCount count;
    count.site = history.sites[s];
    for (AttemptRecord const& attempt : records.attempts) {
      if (!attempt.site.valid() || attempt.site.index() != s) continue;
      changes.push_back({attempt.start, 1});
      changes.push_back({attempt.slot_end(), -1});
      ++count.attempts;
      attempts.push_back(&attempt);
    }
    count.gpus = most_gpus(attempts);
    Peak const most = peak(changes, waits.at(s));
    count.slots = std::max(1, most.jobs);
    count.saturated = 2 * most.idle.value() >= most.time.value() && most.time.value() > 0;
    for (PilotRecord const& pilot : pilots.pilots) {
      if (pilot.site.index() != s) continue;
      ++count.pilots;
      count.slots_per_pilot = std::max(count.slots_per_pilot, pilot.most_jobs);
      std::vector<AttemptRecord const*> of_pilot;
      for (std::size_t const i : pilot.attempts) of_pilot.push_back(&records.attempts[i]);
      count.gpus_of_pilot = std::max(count.gpus_of_pilot, most_gpus(of_pilot));
    }
    count.slots_per_pilot = std::min(count.slots_per_pilot, count.slots);
    counts.push_back(count);
  }
  return counts;
}

}  // namespace gridcast::calibration
