#include "sim/cli/event_log_form.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::cli {

void add_event_log_form(Verb& verb, EventLogForm& form) {
  Verb group = verb.group("Event log");
  group.option("--condor-version", &form.condor_version, "Whose event log: 23.9 or 25", "V")
      .one_of({"23.9", "25"})
      .shows_default();
  group.flag("--ad-information", form.ad_information, "Event 028 behind each event");
  group.flag("--utc", form.utc, "Dates that say that they are UTC");
  group.flag("--sub-second", form.sub_second, "Dates with milliseconds");
  group.flag("--legacy-dates", form.legacy_dates, "MM/DD dates, as before HTCondor 9");
}

condor::EventLogOptions in_form(EventLogForm const& form, condor::EventLogOptions options) {
  options.version =
      form.condor_version == "25" ? condor::CondorVersion::v25 : condor::CondorVersion::v23_9;
  options.dates = form.legacy_dates ? condor::DateForm::legacy : condor::DateForm::iso;
  options.ad_information = form.ad_information;
  options.utc = form.utc;
  options.sub_second = form.sub_second;
  return options;
}

condor::EventLogOptions event_log_options(scenario::Scenario const& scenario,
                                          scenario::Strategy const& strategy) {
  condor::EventLogOptions options;
  auto const& campaign = scenario.campaign;
  if (!campaign.input.empty()) options.url = campaign.input.front().url;
  options.input = campaign.input_size();
  options.gpus = campaign.request.gpus;
  options.disk = campaign.request.disk;
  auto const& policy = strategy.retry.policy;
  options.allowed_execute =
      policy.allowed_execute_duration.value_or(scenario.pool.access_point.max_execution);
  options.allowed_job = policy.allowed_job_duration.value_or(options.allowed_job);
  options.job_lease = policy.job_lease_duration.value_or(options.job_lease);
  constexpr double mega = 1e6;
  options.max_transfer_input_mb =
      static_cast<int>(scenario.pool.access_point.max_transfer_input.value() / mega);
  return options;
}

namespace {

/// A file that is gone with its scope.
class ScratchFile {
 public:
  ScratchFile()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("gridcast-log-{}.log", getpid())) {}
  ScratchFile(ScratchFile const&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options) {
  ScratchFile const file;
  {
    std::ofstream out(file.path());
    condor::write_event_log(simulated, out, options);
  }
  return condor::read_logs({file.path()}).history;
}

}  // namespace gridcast::cli
