// The scenario of a submit file, a DAG or a repeated record, with the calibration of the records of
// such jobs: calibrate and init one after the other in one process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/forecast.hpp"
#include "sim/cli/report.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

inline constexpr char const* scenario_name = "scenario.yaml";

struct WorkInputs {
  std::optional<condor::Dag> dag;
  import::CampaignFiles records, against;
};

/// InputError with all files that cannot be opened.
WorkInputs open_work(ForecastArguments const& options);

struct WorkScenario {
  std::optional<CalibratedLogs> fitted = {};  // from the records
  std::vector<condor::SubmitNote> notes = {};
  std::string nodes = {};       // how many of a DAG are done, in words
  std::string simplified = {};  // of a DAG
};

/// The scenario as it is read again, with the inputs of a page.
struct ReadWork {
  fs::path file = {};
  scenario::Scenario scenario = {};
  WorkScenario made = {};
  MadeFrom made_from = {};
};

/// The overrides of a scenario, "PATH=VALUE", whose file may decide them.
using OverridesOf = std::function<std::vector<std::string>(fs::path const&)>;

/// The exit code of `use`. Without options.out the scenario lasts until `use` returns, in a folder
/// named after the verb; problems in it are placed at the given files. InputError.
int with_work_scenario(ForecastArguments const& options, WorkInputs const& inputs,
                       std::string_view verb, OverridesOf const& overrides,
                       std::function<int(ReadWork)> const& use);

/// WORK and its records as arguments of a command.
std::string typed_work(ForecastArguments const& options);

/// The names of the files of a kept scenario.
std::vector<std::string> work_file_names(ForecastArguments const& options);

// A recorded campaign as the next one, for a record without a submit file: its submissions, GPUs
// and input, under HTCondor's default rules.

/// The submissions of the record, those of one second together.
std::vector<scenario::Submission> submissions(history::JobHistory const& history);

/// `received`: the input of a job (import::usual_input). A log without ads has no sizes of files,
/// which then share these bytes. A size that nothing shows is one byte.
auto repeated_campaign(std::string const& name, history::JobHistory const& history, Bytes received)
    -> import::SubmitImport;

}  // namespace gridcast::cli
