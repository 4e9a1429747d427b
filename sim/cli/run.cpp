#include "sim/cli/run.hpp"

#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/cli/exit_code.hpp"
#include "sim/cli/output_folder.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/run_files.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/cli/scenario_input.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/data/ledger_json.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/story.hpp"
#include "sim/study/interrupt.hpp"

namespace gridcast::cli {
namespace {

/// Ctrl-C, through the engine to whoever runs it.
struct Interrupted {};

/// The campaign on its way to the screen and the files; looks up now and then.
class Playing final : public history::HistorySink {
 public:
  Playing(history::JobHistory const& names, bool verbose, bool quiet)
      : jobs_(names.jobs.size()), story_(names) {
    progress_.emplace(verbose, quiet);
  }

  void write_to(std::unique_ptr<RunFiles> files) { files_ = std::move(files); }

  void add(history::JobEvent const& event) override {
    constexpr unsigned between_looks = 1024;
    story_.add(event);
    if (files_) files_->add(event);
    if (++events_ % between_looks == 0) look(event.at);
  }
  void settled(Id<history::Job> job) override {
    story_.settled(job);
    if (files_) files_->settled(job);
    ++done_;
  }

  report::Story const& finish() {
    story_.finish();
    progress_.reset();
    stop_if_asked();
    return story_;
  }
  void finish_files(std::string const& ledger) {
    if (files_) files_->finish(ledger);
  }

 private:
  void stop_if_asked() const {
    if (watch_.requested()) throw Interrupted();
  }
  void look(Seconds at) {
    stop_if_asked();
    progress_->campaign(at, done_, jobs_);
  }

  std::size_t jobs_, done_ = 0;
  unsigned events_ = 0;
  study::InterruptWatch watch_;
  report::Story story_;
  std::unique_ptr<RunFiles> files_;
  std::optional<ProgressReport> progress_;
};

std::string title_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                     std::uint64_t seed, std::uint32_t replica) {
  std::string const title =
      fmt::format("{}\n{}, strategy {}, seed {}, replica {}\n", scenario.title,
                  scenario::arguments_of(scenario), strategy.name, seed, replica);
  scenario::ParameterDraw const& draw = study::draw_of(scenario.calibration, seed, replica);
  if (draw.event_log) return title;
  auto const why = scenario::explanation(draw.stall.scope);
  return title + fmt::format("Transfers stall here because {} ({}).\n",
                             report::explanation_words(why), report::explanation_title(why));
}

int play(RunOptions const& options, scenario::Scenario const& scenario,
         scenario::Strategy const& strategy) {
  std::uint64_t const seed = options.seed.value_or(scenario.study.seed);
  engine::ReplicaOptions simulation;
  simulation.network = network_model(options.network);
  simulation.steps = options.detail == "steps";
  auto const names = engine::unplayed_history(scenario.pool, scenario.campaign);
  auto const playing = std::make_unique<Playing>(names, options.verbose, options.quiet);
  if (!options.out.empty()) {
    auto const log = in_form(options.event_log, event_log_options(scenario, strategy));
    playing->write_to(std::make_unique<RunFiles>(options.out, names, log));
  }
  engine::Replica kept;
  bool const reports = !options.report.file.empty();
  if (reports) {
    simulation.trace = true;
    kept = study::simulate_replica(scenario, strategy, seed, options.replica, simulation,
                                   playing.get());
  } else {
    study::simulate_replica_into(*playing, names, scenario, strategy, seed, options.replica,
                                 simulation);
  }
  report::Story const& story = playing->finish();
  PlayedCampaign const campaign{scenario, strategy, seed, options.replica};
  auto const ledger = run_json(campaign, story.ledger());
  if (reports) write_run_report(options.report, campaign, kept);
  std::cout << (options.json ? ledger
                             : story.text(title_of(scenario, strategy, seed, options.replica),
                                          screen(colour_choice(options.colour))));
  playing->finish_files(ledger);
  return exit_code::done;
}

}  // namespace

int run_run(RunOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  if (!options.out.empty()) prepare_output(options.out, run_file_names(), options.force);
  prepare_report(options.report, options.force);
  try {
    return play(options, scenario, strategy);
  } catch (Interrupted const&) {
    fmt::print(stderr, "gridcast: interrupted; no file was written\n");
    return exit_code::interrupted;
  }
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
  verb->add_option("--detail", options->detail,
                   "steps: simulate each training of the catalogue step by step")
      ->check(one_of({"steps"}))
      ->type_name("WORD");
  add_event_log_form(*verb, options->event_log);
  verb->add_flag("--json", options->json, "The ledger as one JSON object, nothing else");
  verb->add_flag("--force", options->force, "Replace results that are already there");
  add_colour_option(*verb, options->colour);
  verb->add_flag("--verbose", options->verbose, "Progress also where there is no terminal")
      ->excludes(verb->add_flag("--quiet", options->quiet, "No progress; problems are still told"));
  verb->footer(
      "Examples:\n"
      "  gridcast run scenarios/osg-imagenet.yaml\n"
      "  gridcast run scenarios/osg-imagenet.yaml --seed 3 --strategy cool-down --out one-run");
  verb->callback(
      [options, select = std::move(select)] { select([options] { return run_run(*options); }); });
}

}  // namespace gridcast::cli
