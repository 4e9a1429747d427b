// The files of `run --out`, written while the campaign is played: events.log, jobs.csv,
// attempts.csv, transfers.csv, and ledger.json at the end.
//
// Each is there whole or not at all. One that cannot be written (a full disk) is given up, which
// makes room for the others; they are finished all the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/files.hpp"
#include "sim/condor/event_log_writer.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_rows.hpp"
#include "sim/history/per_job.hpp"
#include "sim/report/attempt_rows.hpp"

namespace gridcast::cli {

/// Their names.
std::vector<std::string> run_file_names();

class RunFiles final : public history::AttemptSink {
 public:
  /// `names`: of the campaign's history; its events are not read.
  RunFiles(std::filesystem::path const& folder, history::JobHistory const& names,
           condor::EventLogOptions const& log);

  void settled(Id<history::Job> job) override;
  /// Gives the files their names. InputError for those that could not be written, when the others
  /// are there.
  void finish(std::string const& ledger);

 private:
  void follow(history::AttemptStep const& step) override;

  /// A text that goes to its file by and by.
  struct Table {
    Table(std::filesystem::path const& path, std::string_view header) : file(path), text(header) {}
    void flush();
    void flush_if_long();
    OutputFile file;
    std::string text;
  };

  void add_row(Id<history::Job> job);

  std::filesystem::path folder_;
  history::JobHistory const& names_;
  OutputFile events_;
  Table jobs_, attempts_, transfers_;
  condor::EventLogWriter log_;
  history::JobRows rows_;
  history::JobOrder order_;
  report::AttemptRows lines_;
  history::AttemptFollower follower_;
};

}  // namespace gridcast::cli
