#include "sim/import/recorded_campaign.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/condor/log/log_input.hpp"

namespace gridcast::import {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view trimmed_front(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) {
    text.remove_prefix(byte_order_mark.size());
  }
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// A line of an ad: "Name = value".
bool is_assignment(std::string_view line) {
  auto const end = std::find_if_not(
      line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  auto rest = line.substr(static_cast<std::size_t>(end - line.begin()));
  bool const named =
      rest.size() < line.size() && std::isdigit(static_cast<unsigned char>(line[0])) == 0;
  return named && rest.substr(0, 3) == " = ";
}

std::string beginning_of(std::filesystem::path const& file) {
  constexpr std::size_t enough = 16384;
  condor::LogInput input(file);
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

/// What the ads call the jobs, where the log has not said it.
void add_labels(history::JobHistory& history, condor::JobAds const& ads) {
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const found = ads.jobs.find(history.jobs[job]);
    if (found == ads.jobs.end()) continue;
    condor::JobAdFacts const& facts = found->second.facts;
    if (facts.cmd.empty() && facts.batch_name.empty() && facts.dag_node.empty()) continue;
    history.labels.resize(history.jobs.size());
    history::JobLabel& label = history.labels[job];
    label.executable = facts.cmd;
    label.arguments = facts.arguments;
    label.batch = facts.batch_name;
    if (label.node.empty()) label.node = facts.dag_node;
  }
}

}  // namespace

RecordKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file) {
  std::string_view const text = trimmed_front(beginning);
  std::string_view const line = text.substr(0, text.find_first_of("\r\n"));
  if (text.empty()) {
    return file.extension() == ".csv" ? RecordKind::job_table : RecordKind::event_log;
  }
  if (text[0] == '{' || text[0] == '[') {
    return has(text, "\"EventTypeNumber\"") ? RecordKind::event_log : RecordKind::ads;
  }
  if (line.substr(0, 4) == "*** " || is_assignment(line)) return RecordKind::ads;
  bool const event = text.size() > 4 && text.substr(3, 2) == " (";
  bool const table = !event && text[0] != '<' && (has(line, ",") || file.extension() == ".csv");
  return table ? RecordKind::job_table : RecordKind::event_log;
}

CampaignFiles sort_by_kind(std::vector<std::filesystem::path> const& files) {
  CampaignFiles sorted;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    if (file == "-") {
      sorted.logs.push_back(file);
      continue;
    }
    try {
      switch (kind_of_beginning(beginning_of(file), file)) {
        case RecordKind::event_log:
          sorted.logs.push_back(file);
          break;
        case RecordKind::ads:
          sorted.ads.push_back(file);
          break;
        case RecordKind::job_table:
          sorted.tables.push_back(file);
          break;
      }
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  bool const mixed = !sorted.tables.empty() && !(sorted.logs.empty() && sorted.ads.empty());
  if (mixed) {
    problems.push_back({{sorted.tables.front().string(), 0, 0},
                        "a job table among event logs or ads",
                        "a table keeps sums without dates, which do not add up with dated events",
                        "Give them to one `gridcast ledger` each"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return sorted;
}

RecordedCampaign open_campaign(CampaignFiles const& files, condor::ReadLogOptions const& options) {
  RecordedCampaign campaign;
  if (!files.tables.empty()) {
    campaign.table = history::read_job_tables(files.tables);
    campaign.history = history::to_history(campaign.table);
    return campaign;
  }
  condor::MergeReport merging;
  if (!files.ads.empty()) {
    campaign.ads = condor::read_job_ads(files.ads);
    campaign.ads_report = to_text(campaign.ads.report);
  }
  if (files.logs.empty()) {
    campaign.history = condor::history_from_ads(campaign.ads, merging);
  } else {
    condor::LoggedHistory log = condor::read_logs(files.logs, options);
    campaign.log_report = to_text(log.report);
    if (!files.ads.empty()) log = condor::merge(std::move(log), campaign.ads, merging);
    campaign.history = std::move(log.history);
    campaign.words = std::move(log.words);
    campaign.runs = std::move(log.runs);
  }
  if (!files.ads.empty()) {
    campaign.merge_report = to_text(merging);
    add_labels(campaign.history, campaign.ads);
  }
  return campaign;
}

RecordedCampaign stream_campaign(std::vector<std::filesystem::path> const& logs,
                                 condor::ReadLogOptions const& options,
                                 std::function<void(history::JobEvent const&)> const& sink) {
  condor::LoggedHistory log = condor::stream_logs(logs, sink, options);
  RecordedCampaign campaign{std::move(log.history)};
  campaign.log_report = to_text(log.report);
  return campaign;
}

}  // namespace gridcast::import
