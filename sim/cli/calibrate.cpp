// gridcast calibrate FILE... [--pool POOL] -o OUT: a calibration file from recorded campaigns,
// which are job tables, or event logs with ads if there are any.
#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/log_calibration.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/record_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

Bytes input_size(CalibrateOptions const& options) {
  auto const size = parse_bytes(options.input_size);
  if (size && size->value() > 0) return *size;
  throw InputError({{},
                    "--input-size: '" + options.input_size + "' is not a size",
                    "",
                    "Give a positive number with a unit, such as '137 GB'."});
}

// As one would type it again; options only where they differ from the defaults.
std::string command_for_tables(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  for (auto const& file : options.files) text += " " + file.string();
  text += " --pool " + options.pool.string();
  if (options.epochs != usual.epochs) text += fmt::format(" --epochs {}", options.epochs);
  if (options.input_size != usual.input_size) {
    text += fmt::format(" --input-size '{}'", options.input_size);
  }
  if (!options.makespan.empty()) text += fmt::format(" --makespan '{}'", options.makespan);
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  return text + " -o " + options.out.string();
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
  throw InputError({{},
                    "--pool is missing",
                    "a job table does not tell what the pool is like",
                    "Give the pool that the campaign ran on."});
}

int calibrate_from_logs(CalibrateOptions const& options, import::CampaignFiles const& files) {
  CalibratedLogs const done = calibrate_logs(options, read_record(options, files));
  print_results(summary_of_logs(done.document.fit) +
                more_data_text(done.document.fit, done.history.jobs.size()));
  tell(programs_text(done.calibrated.programs));
  if (auto const rejected = rejected_text(done.document.fit); !rejected.empty()) {
    tell("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
  write_output(options.out.parent_path(), done.files);
  std::cout << "\nWritten to " << options.out.string();
  if (options.pool.empty()) std::cout << " and " << pool_beside(options.out).string();
  std::cout << "\n";
  return exit_code::done;
}

int calibrate_from_tables(CalibrateOptions const& options) {
  require_pool(options);
  calibration::TableCalibrationRequest request;
  request.tables = options.files;
  request.pool = options.pool;
  request.epochs = options.epochs;
  request.input_size = input_size(options);
  request.seed = options.seed;
  request.command = command_for_tables(options);
  request.version = version_number;
  request.simulated.stalls.reported_makespan = optional_time("--makespan", options.makespan, "7 d");
  request.simulated.stalls.processes =
      options.processes > 0 ? options.processes : std::max(1u, std::thread::hardware_concurrency());
  try {
    calibration::CalibrationDocument const document = [&] {
      ProgressReport progress(options.verbose, options.quiet);
      request.simulated.progress = progress.callback();
      return calibration::calibrate_from_tables(request);
    }();
    std::size_t rows = 0;
    for (auto const& input : document.inputs) rows += input.rows;
    print_results(summary_of_tables(document) + more_data_text(document.fit, rows));
    write_file(options.out, calibration::calibration_yaml(document));
    std::cout << "\nWritten to " << options.out.string() << "\n";
  } catch (calibration::CalibrationInterrupted const&) {
    tell("gridcast: interrupted; nothing was written\n");
    return exit_code::interrupted;
  }
  return exit_code::done;
}

int run_calibrate(CalibrateOptions const& options) {
  import::CampaignFiles const files = import::sort_by_kind(options.files, options.record.options());
  VerbFiles all(if_there(options.force));
  all.reads(options.files);
  all.reads({options.pool, options.submit});
  all.writes(options.out);
  if (files.tables.empty() && options.pool.empty()) all.writes(pool_beside(options.out));
  all.prepare();
  return files.tables.empty() ? calibrate_from_logs(options, files)
                              : calibrate_from_tables(options);
}

}  // namespace

void add_calibrate(Verb& program) {
  auto options = std::make_shared<CalibrateOptions>();
  Verb verb = program.verb("calibrate", "Fit the simulator to recorded campaigns");
  verb.positional("FILE", &options->files,
                  "Job tables (CSV), or event logs and ads, or tables of attempts")
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
  verb.option("-j,--jobs", &options->processes, "Processes (default: one a core)", "N")
      .whole_number(1, 1024);
  verb.option("--year", &options->year, "Year of logs whose dates have none", "YEAR")
      .whole_number(1970, 2200);
  verb.option("--tz", &options->time_zone, "Time zone of the logs, e.g. America/Chicago", "ZONE");
  verb.option("--profile", &options->profile, "Name for what the jobs of the logs compute", "NAME")
      .shows_default();
  verb.option("--submit", &options->submit,
              "Submit file of the logs' jobs: which URLs they fetch, and which program they run",
              "FILE");
  verb.option("--urls", &options->urls, "URLs that each job of the logs fetches", "N")
      .whole_number(1, 10000);
  verb.option("--caches", &options->caches,
              "Caches that a site asks, in order (SITE=CACHE,CACHE,...); again for each site; "
              "without it, as ads show them",
              "LIST")
      .repeatable();
  verb.option("--makespan", &options->makespan,
              "How long the campaign of a table took, as its report says in words; a factor of 2.3 "
              "either way is left open",
              "TIME");
  verb.option("--stall-timer", &options->stall_timer,
              "When the starter's stall timer acted (HTCondor's default: 3620 s); without it, as "
              "the durations show it",
              "TIME");
  add_software_option(verb, options->software);
  add_filter_options(verb, options->filter);
  verb.option("--draws", &options->draws, "Joint draws, of logs", "N")
      .whole_number(10, 100000)
      .shows_default();
  verb.option(
          "--between-campaigns", &options->between_campaigns,
          "How much the next campaign's crashes, failed transfers, lost slots and people differ "
          "(sd of logarithms); without it priors, or what several campaigns show",
          "SD")
      .number_within(0.0, 3.0);
  verb.flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", options->quiet, "No progress; problems are still told");
  verb.flag("--force", options->force, "Replace OUT, and its pool, if they are there");
  verb.footer(
      "Examples:\n"
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml -o calibration/fitted/osg-imagenet.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml");
  verb.runs([options] { return run_calibrate(*options); });
}

}  // namespace gridcast::cli
