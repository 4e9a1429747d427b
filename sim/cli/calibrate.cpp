#include "sim/cli/calibrate.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/calibrate_logs.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/progress.hpp"
#include "sim/report/text/table.hpp"

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
std::string command(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  for (auto const& file : options.files) text += " " + file.string();
  text += " --pool " + options.pool.string();
  if (options.epochs != usual.epochs) text += fmt::format(" --epochs {}", options.epochs);
  if (options.input_size != usual.input_size) {
    text += fmt::format(" --input-size '{}'", options.input_size);
  }
  if (options.seed != usual.seed) text += fmt::format(" --seed {}", options.seed);
  return text + " -o " + options.out.string();
}

std::string summary(calibration::CalibrationDocument const& document) {
  report::TextTable parameters({{"parameter"},
                                {"estimate", report::Align::right},
                                {"90 % interval", report::Align::right},
                                {"unit"},
                                {"events", report::Align::right}});
  for (calibration::Estimate const& line : document.fit.estimates) {
    parameters.add_row({line.name, fmt::format("{:.4g}", line.estimate),
                        fmt::format("{:.4g} to {:.4g}", line.interval90.low, line.interval90.high),
                        line.unit, std::to_string(line.events)});
  }
  std::string text = parameters.str();
  text += "\nWhat makes attempts stall (weight, 90 % interval):\n";
  for (calibration::HypothesisProbability const& model : document.fit.hypotheses) {
    text += fmt::format("  {:9} {:.2f} ({:.2f} to {:.2f})\n", model.name, model.probability,
                        model.interval90.low, model.interval90.high);
  }
  return text;
}

}  // namespace

namespace {

// A pool can be read off a log, not off a table.
void require_pool(CalibrateOptions const& options) {
  if (!options.pool.empty()) return;
  throw InputError({{},
                    "--pool is missing",
                    "a job table does not tell what the pool is like",
                    "Give the pool that the campaign ran on."});
}

}  // namespace

int run_calibrate(CalibrateOptions const& options) {
  if (!are_job_tables(options.files)) return run_calibrate_logs(options);
  require_pool(options);
  calibration::TableCalibrationRequest request;
  request.tables = options.files;
  request.pool = options.pool;
  request.epochs = options.epochs;
  request.input_size = input_size(options);
  request.seed = options.seed;
  request.command = command(options);
  request.version = version_number;
  request.simulated.stalls.processes =
      options.processes > 0 ? options.processes : std::max(1u, std::thread::hardware_concurrency());
  auto const folder = options.out.parent_path();
  prepare_folder(folder.empty() ? "." : folder);
  try {
    calibration::CalibrationDocument const document = [&] {
      ProgressReport progress(options.verbose, options.quiet);
      request.simulated.progress = progress.callback();
      return calibration::calibrate_from_tables(request);
    }();
    write_file(options.out, calibration::calibration_yaml(document));
    std::cout << summary(document) << "\nWritten to " << options.out.string() << "\n";
  } catch (calibration::CalibrationInterrupted const&) {
    std::cerr << "gridcast: interrupted; nothing was written\n";
    return exit_code::interrupted;
  }
  return exit_code::done;
}

void add_calibrate(CLI::App& app, Select select) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* verb = app.add_subcommand("calibrate", "Fit the simulator to recorded campaigns");
  verb->add_option("FILE", options->files,
                   "Job tables (CSV), or event logs and ads, of one campaign")
      ->required()
      ->type_name("");
  verb->add_option("--pool", options->pool,
                   "Pool that the campaign ran on (YAML); without it, one is read off the logs")
      ->type_name("POOL");
  verb->add_option("-o,--out", options->out, "Calibration file to write")
      ->required()
      ->type_name("OUT");
  verb->add_option("--epochs", options->epochs, "Epochs that each job trained")
      ->check(whole_number(1, 1000000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--input-size", options->input_size, "Input of each job")
      ->type_name("SIZE")
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "Seed of bootstrap and simulations")
      ->check(whole_number(0))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("-j,--jobs", options->processes, "Processes (default: one a core)")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  verb->add_option("--year", options->year, "Year of logs whose dates have none")
      ->check(whole_number(1970, 2200))
      ->type_name("YEAR");
  verb->add_option("--tz", options->time_zone, "Time zone of the logs, e.g. America/Chicago")
      ->type_name("ZONE");
  verb->add_option("--profile", options->profile, "Name for what the jobs of the logs compute")
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option(
          "--submit", options->submit,
          "Submit file of the logs' jobs: which URLs they fetch, and which program they run")
      ->type_name("FILE");
  verb->add_option("--urls", options->urls, "URLs that each job of the logs fetches")
      ->check(whole_number(1, 10000))
      ->type_name("N");
  verb->add_option("--draws", options->draws, "Joint draws, of logs")
      ->check(whole_number(10, 100000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--between-campaigns", options->between_campaigns,
                   "How much the next campaign's people and crashes differ (sd of logarithms)")
      ->check(CLI::Range(0.0, 3.0))
      ->type_name("SD")
      ->capture_default_str();
  verb->add_flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb->add_flag("--quiet", options->quiet, "No progress; problems are still told");
  verb->footer(
      "Examples:\n"
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml -o calibration/fitted/osg-imagenet.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_calibrate(*options); });
  });
}

}  // namespace gridcast::cli
