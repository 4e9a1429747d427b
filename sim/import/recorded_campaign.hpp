// A campaign that took place, from whatever was kept of it: job event logs, the ads of condor_history
// and condor_q, or job tables. What a file is, its first bytes tell; its name says nothing. Logs and
// ads are merged; tables stand alone, as their sums without dates do not add up with dated events.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::import {

enum class RecordKind {
  event_log,  // text, JSON or XML, gzip or not
  ads,        // condor_history, condor_q or epochs: -long, -json, -jsonl
  job_table,  // CSV
};

/// The kind of a record that begins like this (gzip undone).
RecordKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file);

/// The files of one campaign, by kind.
struct CampaignFiles {
  std::vector<std::filesystem::path> logs = {}, ads = {}, tables = {};
};

/// "-" (standard input) is taken for an event log. InputError for all that cannot be opened, and for
/// tables among logs.
CampaignFiles sort_by_kind(std::vector<std::filesystem::path> const& files);

struct RecordedCampaign {
  history::JobHistory history;
  history::JobTable table = {};                 // of tables: their rows
  condor::JobAds ads = {};                      // of ads: what each tells
  std::vector<condor::LoggedWords> words = {};  // of logs
  std::vector<condor::LoggedRun> runs = {};     // likewise
  /// What a user should know of the reading, in lines; empty where there was nothing to read.
  std::string log_report = {}, ads_report = {}, merge_report = {};
};

/// InputError for what is none of its kind.
RecordedCampaign open_campaign(CampaignFiles const& files,
                               condor::ReadLogOptions const& options = {});

/// Of event logs alone, without keeping the events, as a log may be larger than memory: each goes to
/// `sink`, and the history has names only.
RecordedCampaign stream_campaign(std::vector<std::filesystem::path> const& logs,
                                 condor::ReadLogOptions const& options,
                                 std::function<void(history::JobEvent const&)> const& sink);

}  // namespace gridcast::import
