// How a job event log is to be written: the options that `run` and `export events` share, and what
// a scenario tells of its jobs.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "sim/condor/event_log_options.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast {

struct EventLogForm {
  std::string condor_version = "23.9";
  bool ad_information = false, utc = false, sub_second = false, legacy_dates = false;
};

/// --condor-version, --ad-information, --utc, --sub-second, --legacy-dates.
void add_event_log_form(CLI::App& verb, EventLogForm& form);

EventLogOptions in_form(EventLogForm const& form, EventLogOptions options);

/// What the scenario's jobs fetch and ask for, and the limits of the access point and the strategy.
EventLogOptions event_log_options(Scenario const& scenario, Strategy const& strategy);

}  // namespace gridcast
