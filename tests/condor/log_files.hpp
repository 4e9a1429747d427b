// Logs of a few lines, and their histories in a form that can be read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::test {

/// A file that is gone when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes);
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;
  ~TemporaryFile();
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

condor::LoggedHistory read_text(std::string_view log, condor::ReadLogOptions const& options = {});

/// "000 (001.000.000) 2026-01-01 00:00:SS ", or later; then `first` and "..." below.
std::string event(int number, int second, std::string_view first, std::string_view body = "",
                  std::string_view job = "001.000.000");

/// One line an event: "12 executing SITE-A", "13 held transfer_failed 13/256 SITE-A". With
/// several jobs, each line begins with the job.
std::string story(history::JobHistory const& history);

std::filesystem::path pool_campaign(std::string_view file);  // "c1-sweep/c1-sweep.log"
std::vector<std::filesystem::path> metl_logs();

bool warned(condor::LogReport const& report, std::string_view part);

}  // namespace gridcast::test
