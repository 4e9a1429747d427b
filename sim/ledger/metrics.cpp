#include "sim/ledger/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::ledger {
namespace {

/// GPU hours of slot time for each success; none without one.
double hours_per_success(Ledger const& ledger) {
  if (ledger.total.succeeded == 0) return nan;
  return ledger.gpu_time / hours(1) / static_cast<double>(ledger.total.succeeded);
}

/// The earliest time at which 95 % of the jobs had ended.
double time_of_95_percent(Ledger const& ledger) {
  std::vector<double> ends;
  for (auto const& job : ledger.outcomes) {
    if (job.ended_at) ends.push_back(job.ended_at->value());
  }
  if (ends.empty() || !ledger.makespan) return nan;
  std::sort(ends.begin(), ends.end());
  auto const rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(ends.size())));
  return ends[rank - 1];
}

/// Share of the jobs with `least` to `most` stalls.
double stall_share(Ledger const& ledger, std::size_t least, std::size_t most) {
  auto const hits = std::count_if(
      ledger.outcomes.begin(), ledger.outcomes.end(),
      [=](JobOutcome const& job) { return job.stalls >= least && job.stalls <= most; });
  return static_cast<double>(hits) / static_cast<double>(ledger.outcomes.size());
}

/// Variance / mean of the stalls a job: 1 if they were independent (Poisson).
double stall_dispersion(Ledger const& ledger) {
  std::vector<double> counts;
  for (auto const& job : ledger.outcomes) counts.push_back(static_cast<double>(job.stalls));
  return dispersion_index(counts);
}

double client_stalls(Ledger const& ledger) {
  return ledger.client_stalls ? static_cast<double>(*ledger.client_stalls) : nan;
}

using Lines = LedgerLines;

double stall_free_share(Ledger const& ledger) { return stall_share(ledger, 0, 0); }

double ten_stalls_share(Ledger const& ledger) {
  return stall_share(ledger, 10, std::numeric_limits<std::size_t>::max());
}

using enum Better;

// In the order of JSON and CSV, which scripts may rely on: new ones come last of their block.
constexpr Metric metric_rows[] = {
    {"jobs", Unit::jobs, neither, "jobs", &Lines::jobs, "all jobs = the next five together",
     MetricScope::kept_site},
    {"succeeded", Unit::jobs, more, "succeeded", &Lines::succeeded,
     "terminated with a result of use", MetricScope::kept_site, "", "succeeded"},
    {"wrong_output", Unit::jobs, less, "wrong output", &Lines::wrong_output,
     "terminated without one"},
    {"held", Unit::jobs, less, "held for good", &Lines::held, "held at the end of the record"},
    {"removed", Unit::jobs, less, "removed", &Lines::removed, "aborted by the owner or by policy"},
    {"unfinished", Unit::jobs, less, "unfinished", &Lines::unfinished, "none of these yet"},
    {"compute_success_s", Unit::hours, neither, "computing that gave the results",
     &Lines::compute_success,
     "final execution of successful jobs, with the part saved by checkpoints: goodput",
     MetricScope::kept_site},
    {"transfer_success_s", Unit::hours, neither, "input transfers behind the results",
     &Lines::transfer_success, "last input transfer of successful jobs, the one that succeeded",
     MetricScope::kept_site},
    {"transfer_retried_s", Unit::hours, less, "retried transfers, jobs that succeeded",
     &Lines::transfer_retried,
     "input transfers of successful jobs before their last one, whether they failed or their "
     "execution was lost",
     MetricScope::site, "retried transfers of jobs that succeeded"},
    {"compute_evicted_s", Unit::hours, less, "computing lost to evictions or holds",
     &Lines::compute_evicted,
     "executions lost: evicted, out of contact for good, or cut off or held and then "
     "repeated. `null` for job tables",
     MetricScope::open_site},
    {"compute_held_s", Unit::hours, less, "computing of jobs held for good", &Lines::compute_held,
     "executions ended by the hold in which the job stayed"},
    {"transfer_held_s", Unit::hours, less, "last transfer of jobs held for good",
     &Lines::transfer_held, "last input transfer of jobs that end held"},
    {"compute_wrong_output_s", Unit::hours, less, "computing of wrong outputs",
     &Lines::compute_wrong_output, "execution of jobs with a wrong output"},
    {"transfer_wrong_output_s", Unit::hours, less, "last transfer of wrong outputs",
     &Lines::transfer_wrong_output, "last input transfer of jobs with a wrong output"},
    {"badput_s", Unit::hours, less, "lost slot time (badput)", &Lines::badput,
     "slot time without `compute_success_s` and `transfer_success_s`", MetricScope::kept_site, "",
     "badput"},
    {"wallclock_s", Unit::hours, neither, "slot time provided", &Lines::wallclock,
     "all slot time: `compute_success_s + transfer_success_s + badput_s`", MetricScope::site},
    {"goodput_fraction",
     Unit::percent,
     more,
     "goodput",
     &Lines::goodput_fraction,
     "`compute_success_s / wallclock_s`; 0 if there was no slot time",
     MetricScope::site,
     "",
     "goodput",
     {"compute_success_s", "wallclock_s"}},
    {"stalls", Unit::events, less, "stalls", &Lines::stalls,
     "attempts whose input transfer the stall timer ended (021 or 007 \"Input File "
     "transfer stalled\"), dead or only too long for it; `null` where ads alone do not show how "
     "attempts ended",
     MetricScope::kept_site},
    {"evictions", Unit::events, less, "evictions", &Lines::evictions,
     "attempts that were evicted, or lost contact for good; `null` as `stalls`",
     MetricScope::kept_site},
    {"holds", Unit::events, less, "holds", &Lines::holds, "each hold, final or not",
     MetricScope::kept_site},
    {"releases", Unit::events, neither, "releases", &Lines::releases, "releases of held jobs"},

    // Of whole campaigns.
    {"match_to_done_mean_s", Unit::hours, less, "first match to completion, mean",
     &Ledger::match_to_done_mean,
     "successful jobs, first match to completion, mean; `null` without a success",
     MetricScope::campaign},
    {"match_to_done_median_s", Unit::hours, less, "first match to completion, median",
     &Ledger::match_to_done_median, "the same, median", MetricScope::campaign},
    {"makespan_s", Unit::days, less, "makespan", &Ledger::makespan,
     "first submission to the last event; `null` where the source has no dates",
     MetricScope::campaign, "", "makespan"},
    {"client_stalls", Unit::events, less, "tries given up by the client", client_stalls,
     "tries at a cache that the transfer client gave up because no bytes came, also if the next "
     "cache had them; `null` where no ads list the tries",
     MetricScope::campaign},

    // Further lines of jobs.
    {"transfer_retried_unsuccessful_s", Unit::hours, less, "retried transfers, other jobs",
     &Lines::transfer_retried_unsuccessful,
     "input transfers before the last one of all jobs that did not succeed", MetricScope::site,
     "retried transfers of other jobs"},
    {"transfer_retried_evicted_compute_s", Unit::hours, less,
     "of these: known to be evicted computing", &Lines::transfer_retried_evicted_compute,
     "how much of the two retried lines is known to be evicted computing; within them, not "
     "added"},
    {"compute_unfinished_s", Unit::hours, less, "computing of removed, unfinished jobs",
     &Lines::compute_unfinished, "execution of removed and unfinished jobs"},
    {"transfer_unfinished_s", Unit::hours, less, "last transfer of removed, unfinished jobs",
     &Lines::transfer_unfinished, "last input transfer of removed and unfinished jobs"},
    {"overhead_s", Unit::hours, less, "overhead", &Lines::overhead, "slot time in no other line"},
    {"compute_retried_s", Unit::hours, less, "computing repeated for its exit or output",
     &Lines::compute_retried,
     "executions that ended without a result, of jobs that ran again: requeued for their exit, or "
     "held for missing output"},
    {"checkpoint_s", Unit::hours, less, "saving checkpoints", &Lines::checkpoint,
     "saving checkpoints"},
    {"suspended_s", Unit::hours, less, "suspended", &Lines::suspended, "suspended in the slot"},
    {"contact_lost_s", Unit::hours, less, "contact lost until given up", &Lines::contact_lost,
     "from the loss of contact until the attempt was given up"},
    {"attempts", Unit::events, neither, "attempts", &Lines::attempts,
     "claims (`NumShadowStarts`); `null` for job tables, as are the next four",
     MetricScope::open_site},
    {"executions", Unit::events, neither, "executions", &Lines::executions,
     "starts of the program (`NumJobStarts`)", MetricScope::open_site},
    {"requeues", Unit::events, less, "requeues", &Lines::requeues,
     "jobs queued again for the way in which their program ended", MetricScope::open_site},
    {"checkpoints", Unit::events, neither, "checkpoints", &Lines::checkpoints,
     "checkpoints that became safe", MetricScope::open_site},
    {"disconnects", Unit::events, less, "disconnections", &Lines::disconnects,
     "losses of contact, found again or not", MetricScope::open_site},

    // Of replicas.
    {"gpu_hours_per_success",
     Unit::ratio,
     less,
     "GPU hours for each success",
     hours_per_success,
     "in forecasts: `wallclock_s / 3600 / succeeded` x GPUs of the slots (1 where none); "
     "`null` without a success",
     MetricScope::replica,
     "",
     "GPU h/success",
     {"wallclock_s", "succeeded", Seconds(1) / hours(1), true}},
    {"makespan_95_s", Unit::days, less, "until 95 % of the jobs had ended", time_of_95_percent,
     "in forecasts: when 95 % of the jobs had ended", MetricScope::replica},
    {"stall_free_share", Unit::percent, more, "jobs without a stall", stall_free_share,
     "in forecasts: jobs that never stalled / `jobs`", MetricScope::replica},
    {"ten_stalls_share", Unit::percent, less, "jobs with ten stalls or more", ten_stalls_share,
     "in forecasts: jobs with ten stalls or more / `jobs`", MetricScope::replica},
    {"stall_dispersion", Unit::ratio, neither, "dispersion of stalls a job", stall_dispersion,
     "in forecasts: variance / mean of the stalls a job (1 if they were independent)",
     MetricScope::replica}};

/// NaN where the source does not contain it, or where a whole campaign is needed and there are only
/// lines.
struct ValueOf {
  LedgerLines const& lines;
  Ledger const* campaign;

  double operator()(CountLine count) const { return static_cast<double>(lines.*count); }
  double operator()(TimeLine time) const { return (lines.*time).value(); }
  double operator()(TimeSum sum) const { return (lines.*sum)().value(); }
  double operator()(ShareOfLines share) const { return (lines.*share)(); }
  double operator()(CampaignTime time) const {
    return campaign != nullptr && (campaign->*time) ? (campaign->*time)->value() : nan;
  }
  double operator()(OfCampaign value) const { return campaign != nullptr ? value(*campaign) : nan; }
};

std::vector<MetricValue> listed(LedgerLines const& lines, bool retries_opaque,
                                Ledger const* campaign, MetricScope what) {
  std::vector<MetricValue> list;
  for (auto const& metric : all_metrics()) {
    if (metric.scope > what) continue;
    double const value = std::visit(ValueOf{lines, campaign}, metric.from);
    bool const unrecorded =
        lines.ends_unrecorded > 0 && (metric.name == "stalls" || metric.name == "evictions");
    bool const hidden = unrecorded || (retries_opaque && metric.scope == MetricScope::open_site);
    bool const available = !hidden && !std::isnan(value);
    list.push_back({metric.name, available ? value : 0, available});
  }
  return list;
}

constexpr SlotTimeLine lines_of_slot_time[] = {
    {&Lines::compute_success, false, EndedAs::succeeded, "computing the result"},
    {&Lines::transfer_success, false, EndedAs::succeeded, "the input transfer that succeeded"},
    {&Lines::transfer_retried, true, EndedAs::succeeded, "input transfers before it"},
    {&Lines::transfer_retried_unsuccessful, true, EndedAs::not_succeeded,
     "input transfers before the last"},
    {&Lines::compute_evicted, true, EndedAs::any, "computing lost to evictions or holds"},
    {&Lines::compute_held, true, EndedAs::held, "computing"},
    {&Lines::transfer_held, true, EndedAs::held, "last input transfer"},
    {&Lines::compute_wrong_output, true, EndedAs::wrong_output, "computing"},
    {&Lines::transfer_wrong_output, true, EndedAs::wrong_output, "last input transfer"},
    {&Lines::compute_unfinished, true, EndedAs::unfinished, "computing"},
    {&Lines::transfer_unfinished, true, EndedAs::unfinished, "last input transfer"},
    {&Lines::compute_retried, true, EndedAs::any,
     "computing that ended without a result and was repeated"},
    {&Lines::checkpoint, true, EndedAs::any, "saving checkpoints"},
    {&Lines::suspended, true, EndedAs::any, "suspended"},
    {&Lines::contact_lost, true, EndedAs::any, "contact lost until given up"},
    {&Lines::overhead, true, EndedAs::any, "neither transfer nor computing"}};

}  // namespace

std::span<Metric const> all_metrics() { return metric_rows; }

Metric const* find_metric(std::string_view name) {
  return find_by(metric_rows, name, &Metric::name);
}

std::vector<Metric const*> metrics_shown(ShownIn answer) {
  // In the order of ShownIn.
  static std::vector<std::string_view> const names[] = {
      {"succeeded", "makespan_s", "badput_s", "goodput_fraction", "transfer_retried_s", "stalls",
       "stall_free_share", "ten_stalls_share", "stall_dispersion", deciding_metric},
      {"succeeded", "makespan_s", "badput_s", "goodput_fraction", deciding_metric},
      {deciding_metric, "badput_s", "succeeded", "makespan_s"},
      {deciding_metric, "makespan_s", "badput_s", "succeeded", "goodput_fraction"},
      {"makespan_s", "succeeded", "badput_s", "wallclock_s", "transfer_retried_s", "stalls",
       "evictions", "holds", "goodput_fraction"}};
  return each_of(names[static_cast<std::size_t>(answer)], find_metric);
}

std::vector<std::string> metric_names(MetricScope what) {
  std::vector<std::string> names;
  for (auto const& metric : all_metrics()) {
    if (metric.scope <= what) names.emplace_back(metric.name);
  }
  return names;
}

std::vector<MetricValue> metrics(Ledger const& ledger, MetricScope what) {
  return listed(ledger.total, ledger.retries_opaque, &ledger, what);
}

std::vector<MetricValue> metrics(LedgerLines const& lines, bool retries_opaque, MetricScope what) {
  return listed(lines, retries_opaque, nullptr, what);
}

std::string_view words(EndedAs ended) {
  static constexpr std::string_view all[] = {"succeeded",           "wrong output",      "held",
                                             "removed, unfinished", "any but succeeded", "any"};
  return all[static_cast<std::size_t>(ended)];
}

std::vector<SlotTimeLine> const& slot_time_lines() {
  static std::vector<SlotTimeLine> const lines = [] {
    std::vector<SlotTimeLine> list(std::begin(lines_of_slot_time), std::end(lines_of_slot_time));
    for (auto& line : list) {
      auto const* const metric = std::ranges::find_if(metric_rows, [&](Metric const& each) {
        auto const* time = std::get_if<TimeLine>(&each.from);
        return time != nullptr && *time == line.time;
      });
      check(metric != std::end(metric_rows), "each line of slot time is a metric");
      line.name = metric->name;
    }
    return list;
  }();
  return lines;
}

LedgerLines& LedgerLines::operator+=(LedgerLines const& other) {
  for (auto const& metric : all_metrics()) {
    if (auto const* count = std::get_if<CountLine>(&metric.from)) this->** count += other.**count;
    if (auto const* time = std::get_if<TimeLine>(&metric.from)) this->** time += other.**time;
  }
  ends_unrecorded += other.ends_unrecorded;
  attempts_unrecorded += other.attempts_unrecorded;
  return *this;
}

Seconds LedgerLines::badput() const {
  Seconds sum;
  for (auto const& line : lines_of_slot_time) {
    if (line.lost) sum += this->*line.time;
  }
  return sum;
}

}  // namespace gridcast::ledger
