#include "sim/cli/run.hpp"

#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "sim/cli/exit_code.hpp"
#include "sim/cli/output_folder.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/event_log_writer.hpp"
#include "sim/history/job_table.hpp"
#include "sim/report/attempts.hpp"
#include "sim/report/figure_words.hpp"
#include "sim/report/ledger_json.hpp"
#include "sim/report/story.hpp"

namespace gridcast {
namespace {

std::string event_log(JobHistory const& history, EventLogOptions const& options) {
  std::ostringstream text;
  write_event_log(history, text, options);
  return text.str();
}

std::vector<NamedText> files_of(EventLogOptions const& log, JobHistory const& history,
                                std::string const& ledger) {
  return {{"events.log", event_log(history, log)},
          {"jobs.csv", to_csv(to_table(history))},
          {"attempts.csv", attempts_csv(history)},
          {"transfers.csv", transfers_csv(history)},
          {"ledger.json", ledger}};
}

std::string title_of(Scenario const& scenario, Strategy const& strategy, std::uint64_t seed,
                     std::uint32_t replica) {
  std::string const title =
      fmt::format("{}\n{}, strategy {}, seed {}, replica {}\n", scenario.title,
                  arguments_of(scenario), strategy.name, seed, replica);
  World const& world = world_of(scenario.calibration, seed, replica);
  if (world.dated) return title;
  auto const why = explanation(world.stall.scope);
  return title + fmt::format("Transfers stall here because {} ({}).\n", explanation_words(why),
                             explanation_title(why));
}

}  // namespace

int run_run(RunOptions const& options) {
  Scenario const scenario = read_scenario(options.scenario, options.overrides);
  Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  if (!options.out.empty()) {
    prepare_output(options.out,
                   {"events.log", "jobs.csv", "attempts.csv", "transfers.csv", "ledger.json"},
                   options.force);
  }
  prepare_report(options.report, options.force);

  std::uint64_t const seed = options.seed.value_or(scenario.study.seed);
  ReplicaOptions simulation;
  simulation.network = network_model(options.network);
  simulation.trace = !options.report.file.empty();
  auto const played = simulate_replica(scenario, strategy, seed, options.replica, simulation);
  auto const& history = played.history;

  PlayedCampaign const campaign{scenario, strategy, seed, options.replica};
  auto const ledger = run_json(campaign, account(history));
  if (!options.out.empty()) {
    auto const log = in_form(options.event_log, event_log_options(scenario, strategy));
    write_output(options.out, files_of(log, history, ledger));
  }
  write_run_report(options.report, campaign, played);
  std::cout << (options.json ? ledger
                             : story(title_of(scenario, strategy, seed, options.replica), history,
                                     charset()));
  return exit_code::done;
}

void add_run(CLI::App& app, Select select) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "One campaign, played once: its story and its files");
  verb->add_option("SCENARIO", options->scenario, "Scenario file (YAML)")
      ->required()
      ->type_name("");
  verb->add_option("--strategy", options->strategy, "Strategy (default: the scenario's baseline)")
      ->type_name("NAME");
  verb->add_option("--seed", options->seed, "Seed of all luck (default: the scenario's)")
      ->check(whole_number(0))
      ->type_name("N");
  verb->add_option("--replica", options->replica, "Which replica of a study with that seed")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--out", options->out,
                   "Folder for events.log, jobs.csv, attempts.csv, transfers.csv, ledger.json")
      ->type_name("DIR");
  add_set_option(*verb, options->overrides);
  add_report_option(*verb, options->report, false);
  add_network_option(*verb, options->network);
  add_event_log_form(*verb, options->event_log);
  verb->add_flag("--json", options->json, "The ledger as one JSON object, nothing else");
  verb->add_flag("--force", options->force, "Replace results that are already there");
  verb->footer(
      "Examples:\n"
      "  gridcast run scenarios/osg-imagenet.yaml\n"
      "  gridcast run scenarios/osg-imagenet.yaml --seed 3 --strategy cool-down --out one-run");
  verb->callback(
      [options, select = std::move(select)] { select([options] { return run_run(*options); }); });
}

}  // namespace gridcast
