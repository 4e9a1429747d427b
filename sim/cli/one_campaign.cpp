// gridcast forecast WORK --once: one simulated campaign, with its account and its files.
#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/forecast.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/history/per_job.hpp"
#include "sim/report/data/campaign_tables.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/report/text/story.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"

namespace gridcast::cli {
namespace {

/// The files of `--once -o DIR`, written while the campaign is simulated: events.log, jobs.csv,
/// attempts.csv, transfers.csv, and ledger.json at the end.
///
/// Each is there whole or not at all. One that cannot be written (a full disk) is given up, which
/// makes room for the others; they are finished all the same.
class RunFiles final : public history::AttemptSink {
 public:
  /// `names`: of the campaign's history; its events are not read.
  RunFiles(fs::path const& folder, history::JobHistory const& names,
           condor::EventLogOptions const& log)
      : folder_(folder),
        names_(names),
        events_(folder / "events.log"),
        jobs_(folder / "jobs.csv", history::job_table_header(!names.users.empty())),
        attempts_(folder / "attempts.csv", report::attempts_header),
        transfers_(folder / "transfers.csv", report::transfers_header),
        log_(names, events_.out(), log),
        rows_(names),
        lines_(names),
        follower_([this](history::Attempt const& attempt) {
          lines_.add_attempt(attempts_.text, attempt);
          lines_.add_transfers(transfers_.text, attempt);
          attempts_.flush_if_long();
          transfers_.flush_if_long();
        }) {}

  void settled(Id<history::Job> job) override {
    log_.forget(job);
    follower_.forget(job);
    order_.settled(job, [this](Id<history::Job> next) { add_row(next); });
  }
  /// Gives the files their names: all of them, or none. ResourceError for those that could not be
  /// written.
  void finish(std::string const& ledger) {
    log_.finish();
    follower_.finish();
    order_.finish(names_.jobs.size(), [this](Id<history::Job> job) { add_row(job); });
    for (Table* const table : {&jobs_, &attempts_, &transfers_}) table->flush();
    OutputFile summary(folder_ / "ledger.json");
    summary.out() << ledger;
    keep_together({{folder_ / "events.log", &events_},
                   {folder_ / "jobs.csv", &jobs_.file},
                   {folder_ / "attempts.csv", &attempts_.file},
                   {folder_ / "transfers.csv", &transfers_.file},
                   {folder_ / "ledger.json", &summary}});
  }

 private:
  void follow(history::AttemptStep const& step) override {
    if (!events_.failed()) log_.add(step.event);
    rows_.add(step);
    follower_.add(step);
  }

  /// A text that goes to its file by and by.
  struct Table {
    Table(fs::path const& path, std::string_view header) : file(path), text(header) {}
    void flush() {
      file.out() << text;
      text.clear();
    }
    void flush_if_long() {
      constexpr std::size_t long_enough = 65536;
      if (text.size() >= long_enough) flush();
    }
    OutputFile file;
    std::string text;
  };

  void add_row(Id<history::Job> job) {
    history::add_csv_row(jobs_.text, rows_.take(job), !names_.users.empty());
    jobs_.flush_if_long();
  }

  fs::path folder_;
  history::JobHistory const& names_;
  OutputFile events_;
  Table jobs_, attempts_, transfers_;
  condor::EventLogWriter log_;
  history::JobRows rows_;
  history::JobOrder order_;
  report::AttemptRows lines_;
  history::AttemptFollower follower_;
};

/// The campaign on its way to the screen and the files; looks up now and then.
class CampaignObserver final : public history::HistorySink {
 public:
  CampaignObserver(history::JobHistory const& names, bool verbose, bool quiet)
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
  InterruptWatch watch_;
  report::Story story_;
  std::unique_ptr<RunFiles> files_;
  std::optional<ProgressReport> progress_;
};

/// True if the calibration has rival explanations of stalled transfers.
bool has_rivals(scenario::Calibration const& calibration) {
  auto const& draws = calibration.draws;
  auto const first = scenario::hypothesis(draws.front().outages);
  return std::ranges::any_of(draws, [&](scenario::ParameterDraw const& draw) {
    return scenario::hypothesis(draw.outages) != first;
  });
}

/// The scenario's file, or the work that it was made from if it is not kept.
std::string source_of(ForecastArguments const& options, scenario::Scenario const& scenario) {
  bool const is_kept = options.work.empty() || !options.out.empty();
  return is_kept ? scenario.file.string() : options.work.string();
}

/// Why transfers stall; empty without stalls if the explanation has no rival.
std::string explanation_of(ChosenCampaign const& campaign, ledger::Ledger const& ledger) {
  auto const& calibration = campaign.scenario.calibration;
  scenario::ParameterDraw const& draw =
      study::draw_of(calibration, campaign.seed, campaign.replica);
  auto const hypothesis = scenario::hypothesis(draw.outages);
  if (!hypothesis || (ledger.total.stalls == 0 && !has_rivals(calibration))) return "";
  auto const why = name(*hypothesis);
  return fmt::format("Transfers stall here because {} ({}).", report::hypothesis_words(why),
                     report::hypothesis_title(why));
}

/// In brief, or with all tables (--details).
std::string text_of(ChosenCampaign const& campaign, report::Result const& result,
                    report::Story const& story, bool details) {
  ledger::Ledger const& ledger = story.ledger();
  std::string const which = fmt::format("strategy {}, seed {}, campaign {}", campaign.strategy.name,
                                        campaign.seed, campaign.replica);
  std::string const explanation = explanation_of(campaign, ledger);
  if (!details) return report::brief_campaign(ledger, which, explanation, screen());
  auto const& scenario = campaign.scenario;
  auto const changes = scenario::arguments_of(scenario).substr(scenario.file.string().size());
  std::string const title =
      fmt::format("{}\n{}{}, {}\n{}{}", scenario.title, result.source, changes, which, explanation,
                  explanation.empty() ? "" : "\n");
  return story.text(title, screen()) +
         report::critical_path_text(result.critical_path, "of this run", screen());
}

void print_horizon(ledger::Ledger const& ledger, Seconds horizon) {
  if (!ledger.makespan) return;
  if (*ledger.makespan < horizon) {
    if (*ledger.makespan >= scenario::longest_in_queue) {
      print_notes(
          fmt::format("The campaign lasted {}: a job that has been in the queue for {} is "
                      "removed at its next decision, as on the OSPool.\n",
                      to_text(*ledger.makespan), to_text(scenario::longest_in_queue)));
    }
    return;
  }
  print_notes(fmt::format(
      "The campaign was ended at its horizon, {} after the first submission: {} jobs were "
      "not done, and are counted as removed. --horizon TIME changes it.\n",
      to_text(horizon), ledger.total.removed));
}

/// Why nothing ran, where no slot ever took a job.
void print_unmatched(ledger::Ledger const& ledger, scenario::Scenario const& scenario,
                     scenario::Strategy const& strategy, scenario::ParameterDraw const& draw) {
  if (ledger.total.attempts > 0 || ledger.total.holds > 0) return;
  bool const any = engine::slots_offered(scenario.pool, scenario.campaign, strategy, draw) > 0;
  auto const why = any ? study::NeverRan::not_matched : study::NeverRan::no_slots;
  print_notes(
      "No job was ever matched: " + report::never_ran_words(why, std::nullopt, Bytes(), Bytes()) +
      " (campaign.request, and match.requirements of the strategy).\n");
}

int simulate(ForecastArguments const& options, scenario::Scenario const& scenario,
             scenario::Strategy const& strategy) {
  StudyArguments const& common = options.study;
  auto const replica = options.once.replica;
  std::uint64_t const seed = common.seed.value_or(scenario.study.seed);
  engine::ReplicaOptions simulation;
  simulation.network = network_model(common.network);
  auto const names = study::names_of(scenario, strategy);
  auto const observer = std::make_unique<CampaignObserver>(names, common.verbose, common.quiet);
  simulation.horizon = horizon_of(common.horizon);
  if (!options.out.empty()) {
    auto const log = event_log_options(scenario, strategy);
    observer->write_to(std::make_unique<RunFiles>(options.out, names, log));
  }
  engine::Replica kept;
  bool const reports = !common.report.file.empty();
  bool const chains = scenario::has_nodes(scenario.campaign);
  if (reports || chains) {
    kept = study::simulate_replica(scenario, strategy, seed, replica, simulation, observer.get());
  } else {
    study::simulate_replica_into(*observer, names, scenario, strategy, seed, replica, simulation);
  }
  report::Story const& story = observer->finish();
  print_horizon(story.ledger(), *simulation.horizon);
  print_unmatched(story.ledger(), scenario, strategy,
                  study::draw_of(scenario.calibration, seed, replica));
  ChosenCampaign const campaign{scenario, strategy, seed, replica};
  report::Result result = result_of(campaign, story.ledger());
  result.source = result.scenario = source_of(options, scenario);
  result.critical_path = study::critical_path(scenario.campaign, kept.history);
  auto const ledger = json_text(report::result_json(result));
  print_results(common.json ? ledger : text_of(campaign, result, story, common.details));
  observer->finish_files(ledger);
  if (reports) write_run_report(common.report, campaign, kept);
  return exit_code::done;
}

}  // namespace

std::vector<std::string> campaign_file_names() {
  return {"events.log", "jobs.csv", "attempts.csv", "transfers.csv", "ledger.json"};
}

int simulate_once(ForecastArguments const& arguments, scenario::Scenario const& scenario,
                  scenario::Strategy const& strategy) {
  try {
    return simulate(arguments, scenario, strategy);
  } catch (Interrupted const&) {
    print_message("gridcast: interrupted; no file was written\n");
    return exit_code::interrupted;
  }
}

}  // namespace gridcast::cli
