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
#include "sim/cli/study_on.hpp"
#include "sim/cli/table_calibration.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

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

/// Logs are fitted by likelihoods: nothing is simulated that others could play.
void refuse_shards_of_logs(OnArguments const& on) {
  if (on.system.empty()) return;
  throw InputError(Problem{{},
                           "--on without a job table",
                           "calibrating from logs, ads and tables of attempts simulates nothing",
                           "Leave --on out."});
}

int run_calibrate(CalibrateOptions const& options, OnArguments const& on) {
  import::CampaignFiles const files = import::sort_by_kind(options.files, options.record.options());
  VerbFiles all(if_there(options.force));
  all.reads(options.files);
  all.reads({options.pool, options.submit, options.record.columns});
  all.writes(options.out);
  if (files.tables.empty() && options.pool.empty()) all.writes(pool_beside(options.out));
  all.prepare();
  if (files.tables.empty()) {
    refuse_shards_of_logs(on);
    return calibrate_from_logs(options, files);
  }
  auto asked = table_calibration(options);
  asked.shard_size = on.shard_size;
  if (on.system.empty()) return calibrate_tables(asked, options);
  StudyArguments arguments;
  if (options.processes > 0)
    arguments.processes = options.processes;
  else
    arguments.processes = std::max(1U, std::thread::hardware_concurrency());
  arguments.force = options.force;
  arguments.verbose = options.verbose;
  arguments.quiet = options.quiet;
  return begin_calibration(on, arguments, asked);
}

}  // namespace

void add_calibrate(Verb& program) {
  auto options = std::make_shared<CalibrateOptions>();
  auto on = std::make_shared<OnArguments>();
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
              "else as ads show them",
              "LIST")
      .repeatable();
  verb.option("--makespan", &options->makespan,
              "How long a table's campaign took in the words of its report; a factor of 2.3 either "
              "way is left open",
              "TIME");
  verb.option("--stall-timer", &options->stall_timer,
              "When the starter's stall timer acted (HTCondor's default: 3620 s); else as the "
              "durations show it",
              "TIME");
  add_software_option(verb, options->software);
  add_filter_options(verb, options->filter);
  verb.option("--draws", &options->draws, "Joint draws, of logs", "N")
      .whole_number(10, 100000)
      .shows_default();
  verb.option(
          "--between-campaigns", &options->between_campaigns,
          "How much crashes, failed transfers, lost slots and people differ in the next campaign "
          "(sd of logarithms); else priors, or what campaigns show",
          "SD")
      .number_within(0.0, 3.0);
  verb.option("--simulations", &options->simulations, "Campaigns simulated to fit a table", "N")
      .whole_number(400, 10'000'000)
      .shows_default();
  add_on_options(verb, *on);
  verb.flag("--verbose", options->verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", options->quiet, "No progress; problems are still told");
  verb.flag("--force", options->force, "Replace OUT, and its pool, if they are there");
  verb.footer(
      "Examples:\n"
      "  gridcast calibrate calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --pool scenarios/pools/ospool-2024.yaml -o calibration/fitted/osg-imagenet.yaml\n"
      "  gridcast calibrate campaign.log history.json epochs.INPUT.json -o campaign.yaml");
  verb.runs([options, on] { return run_calibrate(*options, *on); });
}

}  // namespace gridcast::cli
