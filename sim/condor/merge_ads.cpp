#include "sim/condor/merge_ads.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "sim/condor/job_merge.hpp"
#include "sim/condor/url_transfers.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::condor {
namespace {

// Time zones differ by quarters of an hour.
constexpr double zone_step_s = 900;
// Beyond it the two do not speak of the same submissions.
constexpr double submission_differs_s = 60;

std::int64_t median(std::vector<std::int64_t> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// QDate against 000: makes the history's start true.
void set_clock(history::JobHistory& history, JobAds const& ads, MergeReport& report) {
  std::vector<std::int64_t> starts;  // what QDate makes of time zero
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::submitted) continue;
    auto const found = ads.jobs.find(history.jobs[event.job.index()]);
    if (found == ads.jobs.end() || !found->second.facts.q_date) continue;
    starts.push_back(*found->second.facts.q_date -
                     static_cast<std::int64_t>(std::floor(event.at.value())));
  }
  if (starts.empty()) {
    report.remarks.emplace_back(
        "no job has its submission both in the log and in the ads: the log's dates are taken for "
        "UTC");
    if (!history.start_unix) history.start_unix = 0;
    return;
  }
  std::int64_t const start = median(starts);
  if (!history.start_unix) {
    history.start_unix = start;
    return;
  }
  auto const difference = static_cast<double>(start - *history.start_unix);
  double const offset = zone_step_s * std::round(difference / zone_step_s);
  report.clock_offset = Seconds(offset);
  *history.start_unix += static_cast<std::int64_t>(offset);
  if (std::abs(difference - offset) > submission_differs_s) {
    report.remarks.push_back(
        fmt::format("submissions are {:.0f} s later in the ads than in the log, beside any time "
                    "zone: are they of the same campaign?",
                    difference - offset));
  }
}

void order_transfers(history::JobHistory& history) {
  std::stable_sort(history.transfers.begin(), history.transfers.end(),
                   [](history::UrlTransfer const& a, history::UrlTransfer const& b) {
                     return std::tie(a.job, a.attempt, a.start) <
                            std::tie(b.job, b.attempt, b.start);
                   });
}

void put_together(history::JobHistory& history,
                  std::vector<std::vector<history::JobEvent>> const& jobs) {
  history.events.clear();
  for (auto const& events : jobs) {
    history.events.insert(history.events.end(), events.begin(), events.end());
  }
  std::stable_sort(
      history.events.begin(), history.events.end(),
      [](history::JobEvent const& a, history::JobEvent const& b) { return a.at < b.at; });
}

std::string offset_text(Seconds offset) {
  auto const whole = static_cast<long long>(-offset.value());  // of the log's clock against UTC
  return fmt::format("UTC{}{:02}:{:02}", whole < 0 ? "-" : "+", std::abs(whole) / 3600,
                     std::abs(whole) / 60 % 60);
}

}  // namespace

LoggedHistory merge(LoggedHistory log, JobAds const& ads, MergeReport& report) {
  history::JobHistory& history = log.history;
  set_clock(history, ads, report);
  AdSites const sites(ads);
  UrlTransfers urls(history);
  auto jobs = history::events_of_jobs(history);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto const found = ads.jobs.find(history.jobs[i]);
    if (found == ads.jobs.end()) {
      ++report.jobs_only_in_log;
      continue;
    }
    ++report.jobs_in_both;
    JobMerge job(found->first, found->second, sites, history, report);
    jobs[i] = job.merged(std::move(jobs[i]));
    report.transfers_of_no_attempt +=
        urls.add(Id<history::Job>(i), found->second.transfers, job.attempts());
  }
  report.jobs_only_in_ads = ads.jobs.size() - report.jobs_in_both;
  report.transfers = history.transfers.size();
  put_together(history, jobs);
  order_transfers(history);
  return log;
}

std::string to_text(MergeReport const& report) {
  std::string text =
      fmt::format("{} jobs in log and ads, {} only in the log, {} only in the ads\n",
                  report.jobs_in_both, report.jobs_only_in_log, report.jobs_only_in_ads);
  if (report.clock_offset == Seconds(0)) {
    text += "the log's dates as read are UTC, told by QDate\n";
  } else if (report.clock_offset) {
    text +=
        fmt::format("the log's clock is {}, told by QDate\n", offset_text(*report.clock_offset));
  }
  auto add = [&text](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{} {}\n", count, what);
  };
  add(report.attempts_in_both, "attempts in log and ads");
  add(report.attempts_only_in_log, "attempts of which there is no ad");
  add(report.attempts_from_ads, "attempts that only the ads tell of");
  add(report.attempts_of_no_ad,
      "starts of shadows that neither tells of, or that took over a running job");
  add(report.starts_moved, "attempts that began before the log's first sign of them");
  add(report.sites_from_ads, "attempts with a site that only the ads tell");
  add(report.ends_from_ads, "jobs that ended after the log");
  add(report.releases_not_dated,
      "releases without a date, taken for as late as the job's next match");
  add(report.transfers, "transfers of single URLs");
  add(report.transfers_of_no_attempt, "transfers of no attempt that is known, left out");
  for (std::string const& remark : report.remarks) text += remark + "\n";
  add(report.conflicts.size(), "conflicts, in which the log counts:");
  for (MergeConflict const& conflict : report.conflicts) {
    text += fmt::format("  {}: {}\n", to_text(conflict.job), conflict.what);
  }
  return text;
}

}  // namespace gridcast::condor
