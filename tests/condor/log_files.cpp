#include "tests/condor/log_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>

#include "tests/test.hpp"

namespace gridcast::test {
namespace {

constexpr std::array kinds = {
    "submitted",      "matched",         "input_started", "input_finished", "executing",
    "output_started", "output_finished", "terminated",    "evicted",        "shadow_exception",
    "held",           "released",        "aborted",       "requeued",       "checkpointed",
    "suspended",      "unsuspended",     "disconnected",  "reconnected",    "reconnect_failed",
    "input_queued",   "output_queued"};

std::string line(history::JobHistory const& history, history::JobEvent const& event) {
  std::string text;
  if (history.jobs.size() > 1) text += to_text(history.jobs[event.job.index()]) + " ";
  text += fmt::format("{} {}", event.at.value(), kinds[static_cast<std::size_t>(event.kind)]);
  if (event.reason != history::Reason::none)
    text += fmt::format(" {}", history::name(event.reason));
  if (event.code != 0) text += fmt::format(" {}/{}", event.code, event.subcode);
  if (event.exit_code != 0) text += fmt::format(" exit {}", event.exit_code);
  if (event.site.valid()) text += " " + history.sites[event.site.index()];
  return text + "\n";
}

}  // namespace

TemporaryFile::TemporaryFile(std::string_view bytes) {
  static int count = 0;
  path_ =
      std::filesystem::temp_directory_path() / fmt::format("gridcast-log-{}-{}", getpid(), ++count);
  std::ofstream(path_, std::ios::binary) << bytes;
}

TemporaryFile::~TemporaryFile() { std::filesystem::remove(path_); }

condor::LoggedHistory read_text(std::string_view log, condor::ReadLogOptions const& options) {
  TemporaryFile const file(log);
  return condor::read_logs({file.path()}, options);
}

std::string event(int number, int second, std::string_view first, std::string_view body,
                  std::string_view job) {
  return fmt::format("{:03} ({}) 2026-01-01 {:02}:{:02}:{:02} {}\n{}...\n", number, job,
                     second / 3600, second / 60 % 60, second % 60, first, body);
}

std::string story(history::JobHistory const& history) {
  std::string text;
  for (history::JobEvent const& event : history.events) text += line(history, event);
  return text;
}

std::filesystem::path pool_campaign(std::string_view file) {
  return test::source_dir() / "calibration/data/htcondor-pool" / file;
}

std::vector<std::filesystem::path> metl_logs() {
  std::vector<std::filesystem::path> logs;
  for (auto const& entry :
       std::filesystem::directory_iterator(test::source_dir() / "calibration/data/metl-ospool")) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  std::sort(logs.begin(), logs.end());
  return logs;
}

bool warned(condor::LogReport const& report, std::string_view part) {
  return std::any_of(report.warnings.begin(), report.warnings.end(), [&](auto const& warning) {
    return warning.what.find(part) != std::string::npos;
  });
}

}  // namespace gridcast::test
