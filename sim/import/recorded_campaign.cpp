#include "sim/import/recorded_campaign.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/log_input.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

std::string beginning_of(fs::path const& file) {
  constexpr std::size_t enough = 16384;
  LogInput input(file);
  std::string text(enough, '\0');
  std::size_t size = 0;
  while (size < enough) {
    std::size_t const got = input.read(text.data() + size, enough - size);
    if (got == 0) break;
    size += got;
  }
  text.resize(size);
  return text;
}

/// Records from pipes are named by the pipes' names.
void name_pipes(std::vector<SpooledInput> const& spooled, std::string& text) {
  for (SpooledInput const& input : spooled) {
    std::string const path = input.path().string();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
      text.replace(at, path.size(), input.shown());
      at += input.shown().size();
    }
  }
}

std::vector<Problem> named_pipes(std::vector<SpooledInput> const& spooled,
                                 std::vector<Problem> problems) {
  for (Problem& problem : problems) {
    name_pipes(spooled, problem.where.file);
    name_pipes(spooled, problem.what);
  }
  return problems;
}

void take(fs::path const& file, std::string const& beginning, CampaignFiles& sorted) {
  RecordKind const kind = kind_of_beginning(beginning, file, sorted.columns.has_value());
  bool const of_jobs = kind == RecordKind::job_table && !sorted.columns;
  auto& files = kind == RecordKind::event_log ? sorted.logs
                : kind == RecordKind::ads     ? sorted.ads
                : of_jobs                     ? sorted.tables
                                              : sorted.attempts;
  files.push_back(file);
}

/// A record in the form in which it is opened from then on.
fs::path openable(fs::path const& file, CampaignFiles& sorted) {
  if (!is_read_once(file)) return file;
  return sorted.spooled.emplace_back(file).path();
}

void refuse_mixtures(CampaignFiles const& sorted, std::vector<Problem>& problems) {
  bool const others = !(sorted.logs.empty() && sorted.ads.empty() && sorted.attempts.empty());
  if (sorted.tables.empty() || !others) return;
  add_problem(problems, {sorted.tables.front().string(), 0, 0},
              "a job table among event logs or ads",
              "a table keeps sums without dates, which do not add up with dated events",
              "Use one command for the table and one for the others.");
}

/// The history of ads alone. A problem of all of them is reported for the first file.
history::JobHistory history_of_ads(std::vector<fs::path> const& files, condor::JobAds const& ads,
                                   condor::MergeReport& merging) {
  try {
    return condor::history_from_ads(ads, merging);
  } catch (InputError const& error) {
    // If no ad could be read, the text in its place is reported alone.
    std::vector<Problem> problems;
    if (!ads.jobs.empty() || ads.report.reading.warnings.empty()) problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where.file.empty() && !files.empty()) problem.where.file = files.front().string();
    }
    constexpr std::size_t most = 9;
    for (condor::LogWarning const& warning : ads.report.reading.warnings) {
      if (problems.size() <= most) problems.push_back({warning.where, warning.what, "", ""});
    }
    throw InputError(std::move(problems));
  }
}

/// Reports jobs that only the ads know, beside logs of others.
std::string left_out_note(CampaignFiles const& files, RecordedCampaign const& campaign) {
  std::set<history::JobName> const logged(campaign.history.jobs.begin(),
                                          campaign.history.jobs.end());
  std::set<std::uint32_t> clusters;
  std::size_t jobs = 0;
  for (auto const& [name, ads] : campaign.ads.jobs) {
    if (logged.contains(name)) continue;
    ++jobs;
    clusters.insert(name.cluster);
  }
  if (jobs == 0) return "";
  bool const apart = files.same_names == SameNames::keep_apart;
  return fmt::format(
      "{}: {} of the ads (cluster {}{}) in none of the logs, and left out{}\n",
      files.ads.size() == 1 ? files.ads.front().string() : "the ads",
      jobs == 1 ? "1 job is" : fmt::format("{} jobs are", jobs), *clusters.begin(),
      clusters.size() > 1 ? " and others" : "",
      apart ? "" : ". If they are a campaign of their own, take it in with --prefix");
}

/// Logs and ads of one campaign, as one history.
void open_logs(CampaignFiles const& files, condor::ReadLogOptions const& options,
               RecordedCampaign& campaign) {
  condor::MergeReport merging;
  if (!files.ads.empty()) {
    campaign.ads = condor::read_job_ads(files.ads);
    campaign.problems += problems_text(campaign.ads.report.reading);
  }
  if (files.logs.empty()) {
    campaign.history = history_of_ads(files.ads, campaign.ads, merging);
  } else {
    condor::LoggedHistory& logged = campaign;
    logged = condor::read_logs(files.logs, options);
    campaign.problems += problems_text(logged.report);
    if (!files.ads.empty()) logged = condor::merge(std::move(logged), campaign.ads, merging);
  }
  if (files.ads.empty()) return;
  campaign.merge_report = to_text(merging);
  for (std::string const& guess : merging.guesses) campaign.guesses += guess + "\n";
  if (!files.logs.empty()) campaign.notes += left_out_note(files, campaign);
  add_names(campaign.history, campaign.ads);
}

void open_attempts(CampaignFiles const& files, condor::ReadLogOptions const& options,
                   RecordedCampaign& campaign) {
  AttemptTable table = read_attempt_tables(files.attempts, files.columns, options.time_zone);
  campaign.history = history_of(table);
  campaign.notes += history::mark_time_limits(campaign.history);
  campaign.runs = runs_of(table, campaign.history);
  campaign.bytes = bytes_of(table);
  campaign.table_report = to_text(table.report);
}

using Open = void (*)(CampaignFiles const&, condor::ReadLogOptions const&, RecordedCampaign&);

/// Records as they are opened, one after the other.
struct OpenedRecords {
  std::vector<RecordedCampaign> campaigns = {};
  std::vector<std::string> files = {};  // by the name of each

  void add(Open open, CampaignFiles const& from, condor::ReadLogOptions const& options,
           std::string const& shown) {
    open(from, options, campaigns.emplace_back());
    files.push_back(shown);
  }
};

/// Each file is a campaign of its own, except ads, which go with the logs of their jobs, and with
/// each other.
void open_apart(CampaignFiles const& files, condor::ReadLogOptions const& options,
                OpenedRecords& records) {
  std::vector<condor::JobAds> ads;
  for (fs::path const& file : files.ads) ads.push_back(condor::read_job_ads({file}));
  std::vector<bool> placed(ads.size(), false);
  for (fs::path const& log : files.logs) {
    CampaignFiles one{.logs = {log}, .same_names = files.same_names};
    auto const history =
        ads.empty() ? history::JobHistory() : condor::read_logs({log}, options).history;
    for (std::size_t i = 0; i < ads.size(); ++i) {
      if (!are_of_log(ads[i], history)) continue;
      one.ads.push_back(files.ads[i]);
      placed[i] = true;
    }
    records.add(open_logs, one, options, log.string());
  }
  std::vector<fs::path> rest;
  std::vector<condor::JobAds> ads_of_rest;
  for (std::size_t i = 0; i < ads.size(); ++i) {
    if (placed[i]) continue;
    rest.push_back(files.ads[i]);
    ads_of_rest.push_back(std::move(ads[i]));
  }
  for (auto const& campaign : campaigns_of_ads(ads_of_rest)) {
    CampaignFiles one;
    for (std::size_t const i : campaign) one.ads.push_back(rest[i]);
    records.add(open_logs, one, options, one.ads.front().string());
  }
  for (fs::path const& table : files.attempts) {
    records.add(open_attempts, {.attempts = {table}, .columns = files.columns}, options,
                table.string());
  }
}

void add(condor::AdsReport& sum, condor::AdsReport const& more) {
  sum.reading += more.reading;
  for (auto const& [type, count] : more.ads_by_type) sum.ads_by_type[type] += count;
  sum.ads_without_ids += more.ads_without_ids;
  sum.values_not_understood += more.values_not_understood;
  sum.duplicates += more.duplicates;
  sum.dates_of_others += more.dates_of_others;
}

/// The data of one record beside its history, by its own names of `jobs` and its own clock. In the
/// history of all they are at `first` and on.
void take_beside(RecordedCampaign one, std::vector<history::JobName> const& jobs, Seconds later,
                 std::size_t first, RecordedCampaign& campaign) {
  std::map<history::JobName, history::JobName> names;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    names.emplace(jobs[i], campaign.history.jobs[first + i]);
  }
  for (auto& [name, ads] : one.ads.jobs) {
    if (auto const* known = find_in(names, name)) campaign.ads.jobs.emplace(*known, std::move(ads));
  }
  auto const move = [&](auto& from, auto& to) {
    for (auto& each : from) {
      if (auto const* known = find_in(names, each.job)) each.job = *known;
      each.at += later;
      to.push_back(std::move(each));
    }
  };
  move(one.words, campaign.words);
  move(one.runs, campaign.runs);
  move(one.uses, campaign.uses);
  for (auto const& [site, moved] : one.bytes) campaign.bytes[site] += moved;
  campaign.report += one.report;
  add(campaign.ads.report, one.ads.report);
  campaign.merge_report += one.merge_report;
  campaign.table_report += one.table_report;
  campaign.notes += one.notes;
  campaign.guesses += one.guesses;
  campaign.problems += one.problems;
}

void put_together(OpenedRecords records, SameNames same_names, RecordedCampaign& campaign) {
  std::vector<OneRecord> histories;
  std::vector<std::vector<history::JobName>> jobs;
  std::vector<std::optional<std::int64_t>> starts;
  for (std::size_t r = 0; r < records.campaigns.size(); ++r) {
    history::JobHistory& history = records.campaigns[r].history;
    jobs.push_back(history.jobs);
    starts.push_back(history.start_unix);
    histories.push_back({std::move(history), records.files[r]});
  }
  campaign.history = combined(std::move(histories), same_names);
  std::size_t first = 0;
  for (std::size_t r = 0; r < jobs.size(); ++r) {
    Seconds const later =
        starts[r] && campaign.history.start_unix
            ? Seconds(static_cast<double>(*starts[r] - *campaign.history.start_unix))
            : Seconds();
    take_beside(std::move(records.campaigns[r]), jobs[r], later, first, campaign);
    first += jobs[r].size();
  }
}

using Clusters = std::set<std::uint32_t>;

Clusters clusters_of(history::JobHistory const& history) {
  Clusters clusters;
  for (history::JobName const name : history.jobs) clusters.insert(name.cluster);
  return clusters;
}

/// Logs with a cluster in common (one log's rotated parts, copies) are of one campaign.
std::vector<Clusters> joined(std::vector<Clusters> const& records) {
  std::vector<Clusters> campaigns;
  for (Clusters one : records) {
    std::erase_if(campaigns, [&](Clusters const& other) {
      bool const same =
          std::ranges::any_of(other, [&](std::uint32_t cluster) { return one.contains(cluster); });
      if (same) one.insert(other.begin(), other.end());
      return same;
    });
    campaigns.push_back(std::move(one));
  }
  return campaigns;
}

/// For logs that were read as one.
std::vector<Clusters> campaigns_of(std::vector<fs::path> const& logs,
                                   condor::ReadLogOptions const& options) {
  if (logs.size() < 2) return {};
  std::vector<Clusters> const records = each_of(logs, [&](fs::path const& log) {
    return clusters_of(condor::stream_logs(
                           {log}, [](history::JobEvent const&) {}, options)
                           .history);
  });
  return joined(records);
}

/// For records that were joined; `sizes` are their numbers of jobs.
std::vector<Clusters> campaigns_of_parts(history::JobHistory const& history,
                                         std::vector<std::size_t> const& sizes) {
  std::vector<Clusters> campaigns;
  std::size_t job = 0;
  for (std::size_t const size : sizes) {
    Clusters clusters;
    for (std::size_t i = 0; i < size; ++i) clusters.insert(history.jobs[job++].cluster);
    campaigns.push_back(std::move(clusters));
  }
  return campaigns;
}

/// Bytes that a record moved are then at that site, too.
void put_at_unknown_site(RecordedCampaign& campaign) {
  if (!history::names_no_site(campaign.history)) return;
  history::name_unknown_site(campaign.history);
  auto const nowhere = campaign.bytes.find("");
  if (nowhere == campaign.bytes.end()) return;
  campaign.bytes[std::string(history::unknown_site)] += nowhere->second;
  campaign.bytes.erase(nowhere);
}

RecordedCampaign open_sorted(CampaignFiles const& files, condor::ReadLogOptions const& options) {
  RecordedCampaign campaign;
  if (!files.tables.empty()) {
    campaign.table = history::read_job_tables(files.tables);
    campaign.history = history::to_history(campaign.table);
    return campaign;
  }
  OpenedRecords records;
  if (files.same_names == SameNames::keep_apart) {
    open_apart(files, options, records);
  } else {
    campaign.campaigns = campaigns_of(files.logs, options);
    if (!files.logs.empty() || !files.ads.empty() || files.attempts.empty()) {
      std::string const shown =
          files.logs.empty() && files.ads.empty()
              ? ""
              : (files.logs.empty() ? files.ads : files.logs).front().string();
      records.add(open_logs, files, options, shown);
    }
    if (!files.attempts.empty()) {
      records.add(open_attempts, files, options, files.attempts.front().string());
    }
  }
  std::vector<std::size_t> sizes;
  for (auto const& each : records.campaigns) sizes.push_back(each.history.jobs.size());
  put_together(std::move(records), files.same_names, campaign);
  put_at_unknown_site(campaign);
  if (!files.logs.empty()) campaign.log_report = to_text(campaign.report);
  campaign.log_actions = actions_text(campaign.report);
  if (!files.ads.empty()) campaign.ads_report = to_text(campaign.ads.report);
  if (files.same_names == SameNames::keep_apart) {
    campaign.campaigns = campaigns_of_parts(campaign.history, sizes);
  }
  return campaign;
}

/// The note goes where the record's own report is. Records from pipes have their names in all.
void spell_out(CampaignFiles const& files, RecordedCampaign& campaign) {
  std::string const note = spell_out_names(campaign);
  if (!files.logs.empty()) {
    campaign.log_report += note;
    campaign.log_actions += note;
  } else if (!files.attempts.empty()) {
    campaign.table_report += note;
  } else {
    campaign.ads_report += note;
  }
  for (auto const report :
       {&campaign.log_report, &campaign.log_actions, &campaign.ads_report, &campaign.merge_report,
        &campaign.table_report, &campaign.notes, &campaign.problems})
    name_pipes(files.spooled, *report);
}

/// Reads with `read`, and names pipes by their names.
template <class Read>
RecordedCampaign with_pipes_named(CampaignFiles const& files, Read read) {
  try {
    RecordedCampaign campaign = read();
    spell_out(files, campaign);
    return campaign;
  } catch (InputError const& error) {
    throw InputError(named_pipes(files.spooled, error.problems()));
  }
}

std::vector<std::string> of_transfers(history::JobHistory const& history) {
  std::vector<std::string> most, urls;
  history::UrlTransfer const* last = nullptr;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded) continue;
    bool const same = last && last->job == transfer.job && last->attempt == transfer.attempt;
    if (!same) urls.clear();
    last = &transfer;
    urls.push_back(transfer.url < history.urls.size() ? history.urls[transfer.url] : "");
    if (urls.size() > most.size()) most = urls;
  }
  return most;
}

std::vector<std::string> of_ads(condor::JobAds const& ads) {
  std::map<std::string, std::size_t> lists;
  for (auto const& [name, ad] : ads.jobs) {
    if (!ad.facts.transfer_input.empty()) ++lists[ad.facts.transfer_input];
  }
  auto const most = std::ranges::max_element(lists, {}, [](auto const& of) { return of.second; });
  std::vector<std::string> urls;
  if (most == lists.end()) return urls;
  for (std::string const& name : split(most->first, ',')) {
    std::string const file(trim(name));
    if (is_url(file)) urls.push_back(file);
  }
  return urls;
}

/// Finds the runs that executed: others were ended during the transfer of their input, and received
/// a part of it.
class Executions {
 public:
  explicit Executions(history::JobHistory const& history) {
    for (history::JobEvent const& event : history.events) {
      if (event.kind != history::EventKind::executing) continue;
      times_[history.jobs[event.job.index()]].push_back(event.at);
    }
  }

  /// True if this run did. Queries of one job's runs come in the order of time.
  bool had(condor::LoggedRun const& run) {
    auto& times = times_[run.job];
    auto const later = std::upper_bound(times.begin(), times.end(), run.at);
    bool const any = later != times.begin();
    times.erase(times.begin(), later);
    return any;
  }

 private:
  std::map<history::JobName, std::vector<Seconds>> times_;
};

Bytes median_of(std::vector<double> const& bytes) {
  return bytes.empty() ? Bytes() : Bytes(median(bytes));
}

/// NAME.dag.dagman.log, which condor_submit_dag names so. DAGMan runs on the access point.
bool is_log_of_dagman(fs::path const& file) {
  return file.filename().string().ends_with(".dagman.log");
}

/// calibration/maps/NAME.yaml of the checkout or the installation, or a file of that name.
ColumnMap find_column_map(std::string const& name) {
  std::error_code error;
  auto const shipped = shipped_map(name);
  if (fs::exists(name, error) && !(shipped && fs::is_directory(name, error))) {
    return read_column_map(name);
  }
  if (shipped) return *shipped;
  refuse(
      {name}, "is no column map", "there is no such file, and no map of that name is shipped",
      fmt::format("Shipped are: {}; `gridcast init` writes one.", fmt::join(shipped_maps, ", ")));
}

}  // namespace

CampaignFiles sort_by_kind(std::vector<fs::path> const& files, RecordOptions const& options) {
  CampaignFiles sorted;
  sorted.same_names = options.same_names;
  if (!options.columns.empty()) sorted.columns = find_column_map(options.columns);
  std::vector<Problem> problems;
  std::set<fs::path> read;
  bool const only_dagman = std::all_of(files.begin(), files.end(), is_log_of_dagman);
  for (auto const& file : files) {
    if (is_log_of_dagman(file) && !only_dagman) {
      sorted.notes +=
          file.string() + ": the log of DAGMan's own job, which takes no slot; it is left out\n";
      continue;
    }
    std::error_code error;
    fs::path const same = is_read_once(file) ? fs::path() : fs::canonical(file, error);
    if (!same.empty() && !read.insert(same).second) {
      sorted.notes += file.string() + ": given twice; it is read once\n";
      continue;
    }
    collect(problems, [&] {
      fs::path const opened = openable(file, sorted);
      std::string const beginning = beginning_of(opened);
      auto listing = listing_problem(beginning, opened);
      if (listing && !sorted.columns) {
        problems.push_back(std::move(*listing));
      } else {
        take(opened, beginning, sorted);
      }
    });
  }
  refuse_mixtures(sorted, problems);
  if (!problems.empty()) throw InputError(named_pipes(sorted.spooled, std::move(problems)));
  return sorted;
}

RecordedCampaign open_campaign(CampaignFiles const& files, condor::ReadLogOptions const& options) {
  return with_pipes_named(files, [&] {
    RecordedCampaign campaign = open_sorted(files, options);
    campaign.notes.insert(0, files.notes);
    return campaign;
  });
}

RecordedCampaign stream_campaign(CampaignFiles const& files, condor::ReadLogOptions const& options,
                                 std::function<void(history::JobEvent const&)> const& sink) {
  return with_pipes_named(files, [&] {
    RecordedCampaign campaign{condor::stream_logs(files.logs, sink, options)};
    campaign.notes = files.notes;
    campaign.log_report = to_text(campaign.report);
    campaign.log_actions = actions_text(campaign.report);
    campaign.problems = problems_text(campaign.report);
    return campaign;
  });
}

std::optional<Seconds> usual_lease(RecordedCampaign const& campaign) {
  if (auto const lease = condor::usual_lease(campaign.ads)) return lease;
  constexpr std::string_view before = "JobLeaseDuration (";
  for (condor::LoggedWords const& words : campaign.words) {
    auto const at = words.text.find(before);
    if (at == std::string::npos) continue;
    double const seconds = std::strtod(words.text.c_str() + at + before.size(), nullptr);
    if (seconds > 0) return Seconds(seconds);
  }
  return std::nullopt;
}

std::vector<std::string> fetched_urls(RecordedCampaign const& campaign,
                                      history::JobHistory const& history) {
  auto urls = of_transfers(history);
  return urls.empty() ? of_ads(campaign.ads) : urls;
}

Bytes usual_input(RecordedCampaign const& campaign, history::JobHistory const& history) {
  std::vector<double> fetched, received;
  for (auto const& [name, ad] : campaign.ads.jobs) {
    if (ad.facts.fetched.value_or(Bytes()) > Bytes()) fetched.push_back(ad.facts.fetched->value());
  }
  auto runs = campaign.runs;
  std::ranges::stable_sort(runs, {}, &condor::LoggedRun::at);
  Executions executions(history);
  for (condor::LoggedRun const& run : runs) {
    bool const executed = executions.had(run);
    if (executed && run.received.value_or(Bytes()) > Bytes())
      received.push_back(run.received->value());
  }
  return median_of(fetched.empty() ? received : fetched);
}

KnownSizes known_sizes(RecordedCampaign const& campaign, history::JobHistory const& history) {
  KnownSizes sizes;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded || transfer.url >= history.urls.size()) continue;
    Bytes& size = sizes[history.urls[transfer.url]];
    size = std::max(size, transfer.size);
  }
  std::erase_if(sizes, [](auto const& each) { return each.second <= Bytes(); });
  Bytes const together = usual_input(campaign, history);
  if (together > Bytes()) sizes.emplace(all_other_urls, together);
  return sizes;
}

std::vector<Bytes> sizes_of(std::vector<std::string> const& urls, KnownSizes const& known) {
  std::vector<Bytes> sizes;
  Bytes known_sum;
  double others = 0;
  for (std::string const& url : urls) {
    sizes.push_back(known_size(known, url).value_or(Bytes()));
    known_sum += sizes.back();
    others += sizes.back() > Bytes() ? 0 : 1;
  }
  auto const together = known.find(all_other_urls);
  if (together == known.end() || others == 0) return sizes;
  Bytes const share = std::max(Bytes(), together->second - known_sum) / others;
  for (Bytes& size : sizes) {
    if (size <= Bytes()) size = share;
  }
  return sizes;
}

}  // namespace gridcast::import
