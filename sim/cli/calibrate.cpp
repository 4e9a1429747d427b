// gridcast calibrate FILE... [--pool POOL] -o OUT: a calibration file from recorded campaigns: job
// tables, or event logs with ads (sim/cli/log_calibration.cpp).
#include "sim/cli/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/estimate.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validation_scores.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

// gridcast calibrate --check: scores forecasts of campaigns that took place. --against RECORD...
// forecasts them from a calibration, --leave-one WHAT from the rest of the records.

/// InputError with all files that are not there.
void require_files(std::vector<fs::path> const& files) {
  std::vector<Problem> problems;
  for (fs::path const& file : files) {
    bool const there = import::is_read_once(file) || is_there(file);
    if (!there) problems.push_back(missing_file(file));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_validate(ScoreArguments const& scores) {
  auto const& files = scores.files;
  bool const against = !scores.against.empty(), leave_one = !scores.leave_one.empty();
  if (against && leave_one) {
    refuse({}, "--against and --leave-one cannot be given together",
           "each is a question of its own", "Leave one out.");
  }
  refuse_other_kinds(files, "calibrate --check", "a calibration, or records with --leave-one",
                     {InputKind::calibration, InputKind::record, InputKind::table});
  require_files(files);
  if (leave_one) return score_left_out(scores);
  if (files.size() > 1) {
    refuse({}, "more than one FILE", "several records are for --leave-one or behind --against",
           "Name one calibration.");
  }
  if (against) return score_against(scores);
  refuse({}, "neither --against nor --leave-one",
         "forecasts are compared with campaigns that took place",
         "Give --against RECORD..., or --leave-one campaign with records.");
}

/// The width of an interval against its estimate.
double relative_width(calibration::Estimate const& line) {
  double const size = std::max(std::abs(line.estimate), 1e-12);
  return (line.interval90.high - line.interval90.low) / size;
}

/// The fitted parameters with events, the least certain first.
std::vector<calibration::Estimate> least_certain(calibration::Fit const& fit) {
  auto lines = fit.estimates;
  std::erase_if(lines, [](auto const& line) {
    return line.origin != calibration::Origin::fitted || line.events == 0;
  });
  std::ranges::stable_sort(lines, std::greater(), relative_width);
  return lines;
}

std::string least_certain_table(calibration::Fit const& fit, report::Screen const& screen) {
  constexpr std::size_t most = 3;
  auto lines = least_certain(fit);
  if (lines.size() > most) lines.resize(most);
  report::TextTable table("least certain of those with events|>estimate|>90 % interval");
  for (auto const& line : lines) {
    table.add_row({line.name,
                   fmt::format("{:.3g}{}{}", line.estimate, line.unit == "1" ? "" : " ",
                               line.unit == "1" ? "" : line.unit),
                   fmt::format("{:.3g} to {:.3g}", line.interval90.low, line.interval90.high)});
  }
  return lines.empty() ? "" : table.str(screen);
}

std::string causes_sentence(calibration::Fit const& fit) {
  std::string text;
  for (auto const& model : fit.hypotheses) {
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", model.name, 100 * model.probability);
  }
  return text.empty() ? "" : "Causes of stalled transfers: " + text + ".";
}

std::string rejected_sentence(calibration::Fit const& fit) {
  auto const lines = rejected_text(fit);
  auto const rejected = static_cast<std::size_t>(std::ranges::count(lines, '\n'));
  if (rejected == 0) return "";
  return fmt::format("A test rejects {} (p < 0.05); --details names {}.", counted(rejected, "fit"),
                     rejected == 1 ? "it" : "them");
}

/// `jobs`: of the record.
std::string brief_calibration(calibration::Fit const& fit, std::size_t jobs) {
  std::size_t const events = least_certain(fit).size();
  report::Brief brief(screen());
  brief.say(fmt::format("Calibrated from {}: {} of {} parameters are fitted to events of the "
                        "record; the others rest on priors.",
                        counted(jobs, "job"), events, fit.estimates.size()),
            9, 2);
  brief.add(least_certain_table(fit, brief.screen()), 6);
  brief.say(causes_sentence(fit), 5, 2);
  brief.say(rejected_sentence(fit), 7, 2);
  std::string const more = more_data_text(fit, jobs);
  brief.say(more.empty() ? "" : more.substr(1), 4, 2);
  return brief.text();
}

Bytes input_size(CalibrateOptions const& options) {
  auto const size = parse_bytes(options.input_size);
  if (size && size->value() > 0) return *size;
  refuse({}, "--input-size: '" + options.input_size + "' is not a size", "",
         "Give a positive number with a unit, such as '137 GB'.");
}

std::string summary_of_tables(calibration::CalibrationDocument const& document) {
  std::string text = estimates_text(document.fit, CensoredColumn::left_out);
  text += "\nWhat makes attempts stall (weight, 90 % interval):\n";
  for (calibration::HypothesisProbability const& model : document.fit.hypotheses) {
    text += fmt::format("  {:9} {:.2f} ({:.2f} to {:.2f})\n", model.name, model.probability,
                        model.interval90.low, model.interval90.high);
  }
  return text;
}

// A pool can be read off a log, not off a table.
void require_pool(CalibrateOptions const& options) {
  if (!options.pool.empty()) return;
  refuse({}, "--pool is missing", "a job table does not describe the pool",
         "Give the pool that the campaign ran on: for the OSPool, --pool " +
             study::typed(scenario::read_scenario(shipped_scenario()).pool_path) + ".");
}

/// Fewer simulations leave fewer to keep, and links that are searched for in fewer steps.
calibration::StallFitOptions fit_options(CalibrateOptions const& options) {
  calibration::StallFitOptions fit;
  constexpr std::size_t least_kept = 40;
  constexpr int least_evaluations = 20;
  double const share =
      std::min(1., static_cast<double>(options.simulations) / static_cast<double>(fit.simulations));
  auto const of = [share](auto usual) {
    return static_cast<decltype(usual)>(share * static_cast<double>(usual));
  };
  fit.keep = std::max(least_kept, of(fit.keep));
  fit.links.evaluations = std::max(least_evaluations, of(fit.links.evaluations));
  fit.simulations = options.simulations;
  fit.reported_makespan = optional_time("--makespan", options.makespan, "7 d");
  return fit;
}

calibration::TableCalibrationRequest table_request(CalibrateOptions const& options) {
  require_pool(options);
  return {.tables = options.files,
          .pool = options.pool,
          .epochs = options.epochs,
          .input_size = input_size(options),
          .seed = options.seed,
          .command = repeating_command(options),
          .version = version_number,
          .simulated = fit_options(options)};
}

std::optional<calibration::CalibrationDocument> fitted_tables(
    calibration::TableCalibrationRequest const& request, CalibrateOptions const& options) {
  unsigned const processes = options.processes > 0 ? options.processes : cores();
  try {
    ProgressReport progress(options.verbose, options.quiet);
    return fit_of(request.tables, [&] {
      return calibration::calibrate_from_tables(
          request, calibration::simulated_here(processes, progress.callback()));
    });
  } catch (calibration::CalibrationInterrupted const&) {
    print_message("gridcast: interrupted; nothing was written\n");
    return std::nullopt;
  }
}

void print_written(CalibrateOptions const& options, std::string const& files) {
  std::string const job = options.submit.empty() ? "JOB.sub" : study::typed(options.submit);
  std::cout << (options.details ? "\n" : "")
            << report::fitted("Written to " + files + "\n", screen())
            << next_line("forecast " + job + " --calibration", options.out);
}

/// In brief, or all of it with the fits that a test rejects.
void print_fit(CalibrateOptions const& options, calibration::Fit const& fit, std::size_t jobs,
               std::string const& details) {
  print_results(options.details ? details : brief_calibration(fit, jobs));
  if (!options.details) return;
  if (auto const rejected = rejected_text(fit); !rejected.empty()) {
    print_notes("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
}

void print_programs(CalibrateOptions const& options, CalibratedLogs const& logs) {
  if (options.details) print_notes(programs_text(logs.calibrated.facts.programs));
}

int calibrate_from_logs(CalibrateOptions const& options, import::CampaignFiles const& files) {
  CalibratedLogs const done = calibrate_logs(options, read_record(options, files));
  std::size_t const jobs = done.read.record.history.jobs.size();
  print_fit(options, done.document.fit, jobs,
            summary_of_logs(done.document.fit) + more_data_text(done.document.fit, jobs));
  print_programs(options, done);
  if (auto const draws = done.calibrated.draws; draws < static_cast<std::size_t>(options.draws)) {
    print_notes(
        fmt::format("{} joint draws instead of {}, as the record has {} sites (--draws N)\n", draws,
                    options.draws, done.calibrated.sites.size()));
  }
  write_output(options.out.parent_path(), done.files);
  std::string written = printable(options.out.string());
  for (report::NamedText const& file : done.files) {
    if (file.name == options.out.filename()) continue;
    written += ", " + printable((options.out.parent_path() / file.name).string());
  }
  print_written(options, written);
  return exit_code::done;
}

int calibrate_tables(CalibrateOptions const& options) {
  auto const document = fitted_tables(table_request(options), options);
  if (!document) return exit_code::interrupted;
  std::size_t rows = 0;
  for (auto const& input : document->inputs) rows += input.rows;
  print_fit(options, document->fit, rows,
            summary_of_tables(*document) + more_data_text(document->fit, rows));
  write_file(options.out, calibration::calibration_yaml(*document));
  print_written(options, printable(options.out.string()));
  return exit_code::done;
}

/// Options that only one kind of record has a use for.

void refuse_options_without_use(Verb const& verb, import::CampaignFiles const& files) {
  std::vector<Problem> problems;
  if (files.tables.empty()) {
    refuse_given(verb, {"--epochs", "--input-size", "--makespan", "--simulations"},
                 " without a job table", "of logs it changes nothing", problems,
                 "Leave it out; --submit FILE adds facts on the jobs of logs.");
  } else {
    refuse_given(verb,
                 {"--year", "--tz", "--profile", "--submit", "--caches", "--where", "--since",
                  "--until", "--stall-timer", "--draws", "--between-campaigns"},
                 " with nothing but job tables", "of them it changes nothing", problems);
  }
  if (verb.given("--columns") && files.attempts.empty()) {
    add_problem(problems, {}, "--columns without a table of another program",
                "event logs and ads have no columns", "Leave it out.");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_calibrate(Verb const& verb, CalibrateOptions const& options) {
  refuse_other_kinds(options.files, "calibrate", "records of one campaign",
                     {InputKind::record, InputKind::table});
  import::CampaignFiles const files = import::sort_by_kind(options.files, options.record.options());
  refuse_options_without_use(verb, files);
  VerbFiles all(if_there(options.force));
  all.reads(options.files).reads({options.pool, options.submit, options.record.columns});
  all.writes(options.out);
  if (files.tables.empty() && options.pool.empty()) all.writes(pool_beside(options.out));
  if (files.tables.empty()) all.writes(jobs_beside(options.out));
  all.prepare();
  if (files.tables.empty()) {
    CalibrateOptions stated = options;
    if (verb.given("--draws")) stated.least_draws = options.draws;
    return calibrate_from_logs(stated, files);
  }
  return calibrate_tables(options);
}

/// Facts that records may lack.
void add_facts_beside_record(Verb& verb, CalibrateOptions& options) {
  verb.option("--profile", &options.profile, "Name for what the jobs of the logs compute", "NAME")
      .shows_default();
  verb.option("--submit", &options.submit,
              "Submit file of the logs' jobs: which URLs they fetch, and which program they run",
              "FILE");
  verb.option("--caches", &options.caches,
              "Caches that a site asks, in order (SITE=CACHE,CACHE,...); again for each site; "
              "else as ads show them",
              "LIST")
      .repeatable();
  verb.option("--makespan", &options.makespan,
              "A table's makespan in the words of its report; a factor of 2.3 either "
              "way is left open",
              "TIME");
  verb.option("--stall-timer", &options.stall_timer,
              "When the starter's stall timer acted (HTCondor's default: 3620 s); else as the "
              "durations show it",
              "TIME");
}

void add_draws(Verb& verb, CalibrateOptions& options) {
  verb.option("--draws", &options.draws, "Joint draws, of logs; fewer of over 1,000 sites", "N")
      .whole_number(10, 100000)
      .shows_default();
  verb.option(
          "--between-campaigns", &options.between_campaigns,
          "How much crashes, failed transfers, lost slots and people differ in the next campaign "
          "(sd of logarithms); else fitted, or priors",
          "SD")
      .number_within(0.0, 3.0);
  verb.option("--simulations", &options.simulations, "Campaigns simulated to fit a table", "N")
      .whole_number(400, 10'000'000)
      .shows_default();
}

}  // namespace

void add_check(Verb& calibrate) {
  auto options = std::make_shared<ScoreArguments>();
  Verb verb = calibrate.mode("--check", "Score forecasts of campaigns that took place");
  verb.positional("FILE", &options->files, "Calibration file; with --leave-one, records")
      .required();
  add_score_options(verb, *options);
  verb.flag("--force", options->force, "Replace existing files");
  verb.footer(
      "  gridcast calibrate --check c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast calibrate --check calibration/data/htcondor-pool/c6-xml --leave-one part");
  verb.runs([options] { return run_validate(*options); });
}

void add_calibrate(Verb& program) {
  auto options = std::make_shared<CalibrateOptions>();
  Verb verb = program.verb("calibrate", "Fit the simulator to recorded campaigns");
  verb.positional("FILE", &options->files,
                  "Job tables (CSV), or event logs, ads and tables of attempts")
      .required();
  add_record_options(verb, options->record);
  verb.option("--pool", &options->pool,
              "Pool that the campaign ran on (YAML); without it, one is read off the logs", "POOL");
  verb.option("-o,--out", &options->out, "Calibration file to write", "OUT").required();
  verb.option("--epochs", &options->epochs, "Epochs that each job trained", "N")
      .whole_number(1, 1000000)
      .shows_default();
  verb.option("--input-size", &options->input_size, "Input of each job", "SIZE").shows_default();
  verb.option("--seed", &options->seed, "Seed of bootstrap and simulations", "N")
      .whole_number(0)
      .shows_default();
  add_workers_option(verb, options->processes);
  add_facts_beside_record(verb, *options);
  add_filter_options(verb, options->filter);
  add_draws(verb, *options);
  add_details_option(verb, options->details);
  verb.flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", options->quiet, "No progress; only problems");
  verb.flag("--force", options->force, "Replace OUT, and its pool, if they are there");
  verb.footer(
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml --makespan '7 d' -o imagenet-grid.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml");
  add_check(verb);
  verb.runs([options, verb] { return run_calibrate(verb, *options); });
}

}  // namespace gridcast::cli
