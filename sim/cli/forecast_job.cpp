// gridcast forecast JOB.sub|WORK.dag [RECORD...]: from an owner's own records, or the shipped
// calibration, to a forecast.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/records/places.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/forecast.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/scratch_folder.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// The record of the campaign itself, if it took place.
std::optional<history::JobHistory> observed(ForecastArguments const& options,
                                            std::optional<CalibratedLogs> const& fitted,
                                            import::CampaignFiles const& against) {
  if (options.against.empty()) return std::nullopt;
  auto campaign = import::open_campaign(against, options.record.dates);
  if (!fitted) return std::move(campaign.history);
  return at_fitted_sites(std::move(campaign.history), fitted->calibrated.sites);
}

/// The inputs of the forecast, with the final places of the scenario and its files. Only for a
/// page, since hashing a record of a gigabyte takes seconds.
MadeFrom made_from(ForecastArguments const& options, WorkInputs const& inputs) {
  MadeFrom from{.kept = !options.out.empty()};
  if (options.study.report.file.empty()) return from;
  if (!options.repeats) from.files = inputs_of("job", {options.work});
  auto const add = [&from](char const* what, std::vector<fs::path> const& files) {
    auto facts = inputs_of(what, files);
    std::move(facts.begin(), facts.end(), std::back_inserter(from.files));
  };
  if (inputs.dag) {
    for (fs::path const& file : inputs.dag->read) {
      if (file != options.work) add("of the DAG", {file});
    }
  }
  add("record", options.records);
  add("submit file of the record", {options.job.calibration.submit});
  add("column map", {options.record.columns});
  add("held against", options.against);
  return from;
}

/// JOB.sub is never taken for the record's own: where the two agree, a second before each execution
/// is in the record's setup and in the forecast's either way, and where they do not, it would be
/// taken off or put on in error. The program names the option for the facts of a guess
/// (the program, the URLs).
std::string submit_hint(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  auto const& facts = calibrated.document.campaign;
  bool const known = (facts && !facts->ran.empty()) || calibrated.calibrated.programs.several();
  if (!options.job.calibration.submit.empty() || known || options.repeats) return "";
  return "The records do not contain the program of their jobs. Name it with --submit FILE, their "
         "submit file.\n";
}

/// Moves problems of a file that does not stay to the file that it was made from.
std::vector<Problem> of_given_files(std::vector<Problem> problems, ForecastArguments const& options,
                                    fs::path const& folder) {
  for (Problem& problem : problems) {
    fs::path const file = problem.where.file;
    if (file.parent_path() != folder) continue;
    problem.where = {file.filename() == scenario_name ? options.work.string() : ""};
  }
  return placed_at(options.records, std::move(problems));
}

/// Notes on the scenario, without those that the submit file has already or an option answers.
void print_other_notes(scenario::Scenario const& scenario, ForecastArguments const& options,
                       fs::path const& folder, std::vector<condor::SubmitNote> const& known) {
  std::vector<Problem> notes = scenario.notes;
  bool const stated = options.job.importing.hours.hours > 0;
  std::erase_if(notes, [&](Problem const& note) {
    bool const done = stated && note.hint.find("--job-hours") != std::string::npos;
    return done || std::any_of(known.begin(), known.end(),
                               [&](auto const& each) { return note.what.ends_with(each.what); });
  });
  if (options.out.empty()) notes = of_given_files(std::move(notes), options, folder);
  for (Problem const& note : notes) print_notes(note.to_text());
}

void print_fit_of(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  print_notes(programs_text(calibrated.calibrated.programs) + submit_hint(options, calibrated));
  if (auto const rejected = rejected_text(calibrated.document.fit); !rejected.empty()) {
    print_notes("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
}

/// The tables of `calibrate --details`.
void explain(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  calibration::Fit const& fit = calibrated.document.fit;
  std::string const text = summary_of_logs(fit) + more_data_text(fit, calibrated.calibrated.jobs);
  options.study.json ? print_notes(text) : print_results("\n" + text);
}

int forecast_from(ForecastArguments const& options, fs::path const& folder,
                  WorkInputs const& inputs) {
  WorkScenario const made = make_work_scenario(options, folder, inputs);
  if (made.fitted) print_fit_of(options, *made.fitted);
  scenario::Scenario const scenario = read_without_notes(
      folder / scenario_name, with_processes_off(options.overrides, options.without));
  print_other_notes(scenario, options, folder, made.notes);
  MadeFrom from = made_from(options, inputs);
  from.simplified = made.simplified;
  int const code = answer_forecast(options, scenario,
                                   observed(options, made.fitted, inputs.against), std::move(from));
  if (options.job.explain && made.fitted) explain(options, *made.fitted);
  return code;
}

/// The names of the files that -o keeps.
std::vector<std::string> kept_names(ForecastArguments const& options) {
  std::vector<std::string> names = work_file_names(options);
  if (options.once.asked) {
    auto const more = campaign_file_names();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

}  // namespace

int forecast_job(ForecastArguments const& arguments) {
  ForecastArguments options = arguments;
  WorkInputs const inputs = open_work(options);
  std::vector<fs::path> files = options.records;
  files.insert(files.end(), {options.work, options.record.columns, options.job.calibration.submit});
  if (inputs.dag) files.insert(files.end(), inputs.dag->read.begin(), inputs.dag->read.end());
  files.insert(files.end(), options.against.begin(), options.against.end());
  prepare_prediction(options.study, files);
  VerbFiles(if_there(options.study.force))
      .reads(files)
      .writes(options.out, kept_names(options))
      .prepare();
  std::optional<ScratchFolder> scratch;
  if (options.out.empty()) scratch.emplace("forecast");
  fs::path const folder = scratch ? scratch->path() : options.out;
  try {
    return forecast_from(options, folder, inputs);
  } catch (InputError const& error) {
    throw InputError(of_given_files(error.problems(), options, folder));
  }
}

}  // namespace gridcast::cli
