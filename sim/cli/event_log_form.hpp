// How a job event log is to be written: the options that `run` and `export events` share, and what
// a scenario tells of its jobs; and what is left of a campaign once it has been written and read.
#pragma once

#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct EventLogForm {
  std::string condor_version = "23.9";
  bool ad_information = false, utc = false, sub_second = false, legacy_dates = false;
};

/// --condor-version, --ad-information, --utc, --sub-second, --legacy-dates.
void add_event_log_form(Verb& verb, EventLogForm& form);

condor::EventLogOptions in_form(EventLogForm const& form, condor::EventLogOptions options);

/// What the scenario's jobs fetch and ask for, and the limits of the access point and the strategy.
condor::EventLogOptions event_log_options(scenario::Scenario const& scenario,
                                          scenario::Strategy const& strategy);

/// A simulated campaign as its event log tells it, what a user would have of it and no more: written as a
/// log, to the second unless the options say otherwise, and read back.
history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options);

}  // namespace gridcast::cli
