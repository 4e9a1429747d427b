#include "sim/ledger/ledger.hpp"

#include "sim/ledger/accountant.hpp"

namespace gridcast::ledger {
namespace {

struct CountLine {
  std::string_view name;
  std::size_t LedgerLines::*count;
};

struct TimeLine {
  std::string_view name;
  Seconds LedgerLines::*time;
};

constexpr CountLine outcome_lines[] = {
    {"jobs", &LedgerLines::jobs},
    {"succeeded", &LedgerLines::succeeded},
    {"wrong_output", &LedgerLines::wrong_output},
    {"held", &LedgerLines::held},
    {"removed", &LedgerLines::removed},
    {"unfinished", &LedgerLines::unfinished},
};

constexpr TimeLine time_lines[] = {
    {"compute_success_s", &LedgerLines::compute_success},
    {"transfer_success_s", &LedgerLines::transfer_success},
    {"transfer_retried_s", &LedgerLines::transfer_retried},
    {"compute_evicted_s", &LedgerLines::compute_evicted},
    {"compute_held_s", &LedgerLines::compute_held},
    {"transfer_held_s", &LedgerLines::transfer_held},
    {"compute_wrong_output_s", &LedgerLines::compute_wrong_output},
    {"transfer_wrong_output_s", &LedgerLines::transfer_wrong_output},
};

constexpr CountLine event_lines[] = {
    {"stalls", &LedgerLines::stalls},
    {"evictions", &LedgerLines::evictions},
    {"holds", &LedgerLines::holds},
    {"releases", &LedgerLines::releases},
};

constexpr TimeLine further_time_lines[] = {
    {"transfer_retried_unsuccessful_s", &LedgerLines::transfer_retried_unsuccessful},
    {"transfer_retried_evicted_compute_s", &LedgerLines::transfer_retried_evicted_compute},
    {"compute_unfinished_s", &LedgerLines::compute_unfinished},
    {"transfer_unfinished_s", &LedgerLines::transfer_unfinished},
    {"overhead_s", &LedgerLines::overhead},
    {"compute_retried_s", &LedgerLines::compute_retried},
    {"checkpoint_s", &LedgerLines::checkpoint},
    {"suspended_s", &LedgerLines::suspended},
    {"contact_lost_s", &LedgerLines::contact_lost},
};

constexpr CountLine further_event_lines[] = {
    {"attempts", &LedgerLines::attempts},       {"executions", &LedgerLines::executions},
    {"requeues", &LedgerLines::requeues},       {"checkpoints", &LedgerLines::checkpoints},
    {"disconnects", &LedgerLines::disconnects},
};

constexpr double value_of(Seconds time) { return time.value(); }
constexpr double value_of(std::size_t count) { return static_cast<double>(count); }

Metric optional_metric(std::string_view name, std::optional<Seconds> time) {
  return {name, time.value_or(Seconds()).value(), time.has_value()};
}

void append_shares(std::vector<Metric>& list, LedgerLines const& lines) {
  list.push_back({"badput_s", lines.badput().value()});
  list.push_back({"wallclock_s", lines.wallclock().value()});
  list.push_back({"goodput_fraction", lines.goodput_fraction()});
}

// `whole_campaign` adds what cannot be summed over sites, in its place.
std::vector<Metric> listed(LedgerLines const& lines, bool retries_opaque,
                           Ledger const* whole_campaign) {
  std::vector<Metric> list;
  for (auto const& line : outcome_lines) list.push_back({line.name, value_of(lines.*line.count)});
  for (auto const& line : time_lines) {
    bool const hidden = retries_opaque && line.time == &LedgerLines::compute_evicted;
    list.push_back({line.name, value_of(lines.*line.time), !hidden});
  }
  append_shares(list, lines);
  for (auto const& line : event_lines) list.push_back({line.name, value_of(lines.*line.count)});
  if (whole_campaign != nullptr) {
    list.push_back(optional_metric("match_to_done_mean_s", whole_campaign->match_to_done_mean));
    list.push_back(optional_metric("match_to_done_median_s", whole_campaign->match_to_done_median));
    list.push_back(optional_metric("makespan_s", whole_campaign->makespan));
  }
  for (auto const& line : further_time_lines) {
    list.push_back({line.name, value_of(lines.*line.time)});
  }
  // How often a job was started is among what an opaque source cannot tell.
  for (auto const& line : further_event_lines) {
    list.push_back({line.name, retries_opaque ? 0 : value_of(lines.*line.count), !retries_opaque});
  }
  return list;
}

}  // namespace

std::string_view name(Standing standing) {
  static constexpr std::string_view names[] = {"unfinished", "succeeded", "wrong_output", "held",
                                               "removed"};
  return names[static_cast<std::size_t>(standing)];
}

LedgerLines& LedgerLines::operator+=(LedgerLines const& other) {
  for (auto const& line : outcome_lines) this->*line.count += other.*line.count;
  for (auto const& line : event_lines) this->*line.count += other.*line.count;
  for (auto const& line : time_lines) this->*line.time += other.*line.time;
  for (auto const& line : further_time_lines) this->*line.time += other.*line.time;
  for (auto const& line : further_event_lines) this->*line.count += other.*line.count;
  return *this;
}

bool LedgerLines::is_empty() const {
  return jobs == 0 && wallclock() == Seconds() && stalls + evictions + holds + releases == 0 &&
         attempts + requeues + checkpoints + disconnects == 0;
}

Seconds LedgerLines::badput() const {
  return transfer_retried + transfer_retried_unsuccessful + compute_evicted + compute_held +
         transfer_held + compute_wrong_output + transfer_wrong_output + compute_unfinished +
         transfer_unfinished + compute_retried + checkpoint + suspended + contact_lost + overhead;
}

Seconds LedgerLines::wallclock() const { return compute_success + transfer_success + badput(); }

double LedgerLines::goodput_fraction() const {
  Seconds const all = wallclock();
  return all > Seconds() ? compute_success / all : 0;
}

Ledger account(history::JobHistory const& history) {
  Accountant accountant({.dated = history.dated, .each_job = true});
  for (auto const& event : history.events) accountant.add(event);
  return accountant.finish(history);
}

std::vector<Metric> metrics(Ledger const& ledger) {
  return listed(ledger.total, ledger.retries_opaque, &ledger);
}

std::vector<Metric> metrics(LedgerLines const& lines, bool retries_opaque) {
  return listed(lines, retries_opaque, nullptr);
}

std::map<std::string, std::vector<double>> successful_executions(Ledger const& ledger) {
  std::vector<std::vector<double>> by_site(ledger.site_names.size() + 1);  // the last: of no site
  for (JobOutcome const& job : ledger.outcomes) {
    if (!job.succeeded() || !job.final_execution.known()) continue;
    std::size_t const site =
        job.last_site.valid() ? job.last_site.index() : ledger.site_names.size();
    by_site[site].push_back((*job.final_execution).value());
  }
  std::map<std::string, std::vector<double>> named;
  for (std::size_t i = 0; i < by_site.size(); ++i) {
    std::string const name = i < ledger.site_names.size() ? ledger.site_names[i] : std::string();
    if (!by_site[i].empty()) named[name] = std::move(by_site[i]);
  }
  return named;
}

}  // namespace gridcast::ledger
