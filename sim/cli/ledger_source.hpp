// What kind of record a file is, told by its first bytes: its name says nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::cli {

enum class SourceKind {
  event_log,  // text, JSON or XML, gzip or not
  ads,        // condor_history, condor_q or epochs: -long, -json, -jsonl
  job_table,  // CSV
};

/// The kind of a record that begins like this (gzip undone).
SourceKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file);

/// The files of a campaign, by kind. "-" (standard input) is taken for an event log. InputError for
/// what cannot be opened, and for tables among logs: they tell of jobs in ways that do not add up.
struct LedgerSources {
  std::vector<std::filesystem::path> logs, ads, tables;
};
LedgerSources sort_by_kind(std::vector<std::filesystem::path> const& files);

}  // namespace gridcast::cli
