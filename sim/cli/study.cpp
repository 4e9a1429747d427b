// gridcast compare status|gather|resume|cancel DIR: a study that `--on` of compare or forecast has
// handed to a batch system; and `gridcast compare shard`, which the batch system runs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/distributed_study.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/history/attempts.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/study/shards/batch_system.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

/// Progress of a study, from its files, the queue and the batch system's own log.
struct StudyStatus {
  std::size_t shards = 0, done = 0, damaged = 0;
  std::size_t replicas = 0, replicas_done = 0, replicas_failed = 0;  // of all strategies
  std::size_t running = 0, waiting = 0, held = 0, lost = 0;          // shards; lost: in no queue
  bool in_use = false;                          // by another process, which runs or submits shards
  std::vector<std::string> trouble;             // a queue that does not answer
  std::map<std::string, std::size_t> failures;  // by cause: of replicas, attempts and shards
  std::map<std::string, std::size_t> hosts;     // number of shards that each simulated
  std::optional<Seconds> left;                  // until the last shard that is in a queue has ended
};

/// Counts attempts that ended early by the batch system's own log, with their reasons.
void count_attempts(StudyStatus& status, fs::path const& log, std::string const& columns) {
  if (!is_there(log)) return;
  try {
    auto const campaign =
        import::open_campaign(import::sort_by_kind({log}, {columns, import::SameNames::refuse}));
    for (auto const& span : history::phases_of(campaign.history)) {
      std::string const why = report::cause_in_words(span);
      bool const failed = span.attempt > 0 && span.cause && !span.succeeded;
      if (failed && !why.empty()) ++status.failures["attempt: " + why];
    }
  } catch (InputError const& error) {
    status.trouble.push_back(error.what());
  }
}

/// The last line of a shard's error output.
std::string last_line(fs::path const& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!trim(line).empty()) last = line;
  }
  return printable(trim(last));
}

void count_queue(StudyStatus& status, study::StudyFolder const& folder,
                 std::vector<study::Shard> const& missing) {
  std::set<std::string> known;
  for (auto const system : study::systems_used(folder)) {
    try {
      for (auto const& each : study::queued_shards(system, folder)) {
        using State = study::QueuedShard::State;
        known.insert(each.shard);
        ++(each.state == State::running ? status.running
           : each.state == State::held  ? status.held
                                        : status.waiting);
        if (each.state == State::held) ++status.failures["held: " + each.why];
      }
    } catch (InputError const& error) {
      if (study::has_taken(system, folder)) status.trouble.push_back(error.what());
    }
  }
  status.in_use = study::is_in_use(folder.path());
  if (!status.trouble.empty() || status.in_use) return;
  for (auto const& shard : missing) {
    if (known.contains(study::name(shard))) continue;
    ++status.lost;
    auto const said = last_line(folder.path() / "logs" / (study::name(shard) + ".err"));
    if (!said.empty()) ++status.failures["shard without a result: " + said];
  }
}

std::size_t tasks_of(study::Shard const& shard, std::size_t strategies) {
  return (shard.to - shard.from) * strategies;
}

/// From the time of shards so far, or the time that was measured, with the slots that run now.
std::optional<Seconds> time_left(study::FrozenStudy const& study, study::FoundShards const& found,
                                 StudyStatus const& status) {
  if (status.running + status.waiting == 0) return std::nullopt;
  Seconds took;
  for (auto const& result : found.results) took += result.record.took;
  Seconds const each = found.results.empty() ? study.replica_takes * study.shard_size
                                             : took / static_cast<double>(found.results.size());
  auto const slots = static_cast<double>(std::max<std::size_t>(1, status.running));
  return each * (static_cast<double>(status.running + status.waiting) / slots);
}

std::string count_lines(std::string const& heading,
                        std::map<std::string, std::size_t> const& counts) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (auto const& [what, n] : counts) order.emplace_back(n, what);
  std::ranges::stable_sort(order, [](auto const& a, auto const& b) { return a.first > b.first; });
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    text += fmt::format("{:<10} {} x {}\n", i == 0 ? heading : "", order[i].first,
                        printable(order[i].second));
  }
  if (order.size() > most) text += fmt::format("{:<10} and {} more\n", "", order.size() - most);
  return text;
}

std::string next_text(study::StudyFolder const& folder, StudyStatus const& status) {
  std::string const path = folder.typed();
  if (status.in_use) return "next       another process is simulating or submitting its shards\n";
  if (status.done == status.shards && status.replicas_failed > 0) {
    return fmt::format(
        "next       gridcast compare resume {}, which simulates shards with failed campaigns again; or "
        "gridcast compare gather, without those\n",
        path);
  }
  if (status.done == status.shards) return "next       gridcast compare gather " + path + "\n";
  if (status.held > 0) {
    return "next       see why shards are held; then condor_release, or gridcast compare cancel and "
           "resume\n";
  }
  if (status.lost == 0) return "";
  return fmt::format(
      "next       gridcast compare resume {}    ({} shard{} neither in a queue nor done)\n", path,
      status.lost, status.lost == 1 ? " is" : "s are");
}

StudyStatus status_of(study::StudyFolder const& folder) {
  auto const found = folder.checked();
  auto const& study = folder.study();
  StudyStatus status;
  status.shards = found.all.size();
  status.done = found.results.size();
  status.damaged = found.damaged.size();
  for (auto const& shard : found.all) status.replicas += tasks_of(shard, study.strategies);
  for (auto const& result : found.results) {
    status.replicas_failed += result.failed.size();
    status.replicas_done += tasks_of(result.shard, study.strategies) - result.failed.size();
    ++status.hosts[result.record.host];
    for (auto const& failed : result.failed) ++status.failures["campaign: " + failed.why];
  }
  count_queue(status, folder, found.missing);
  for (auto const system : study::systems_used(folder)) {
    if (system == study::BatchSystem::htcondor) {
      count_attempts(status, study::log_of_htcondor(folder), "");
    } else if (auto const accounts = study::accounts_of_slurm(folder)) {
      write_file(folder.path() / "sacct.txt", *accounts);
      count_attempts(status, folder.path() / "sacct.txt", "sacct");
    }
  }
  status.left = time_left(study, found, status);
  return status;
}

std::string status_text(study::StudyFolder const& folder, StudyStatus const& status) {
  auto const& question = folder.study().question;
  std::string text = fmt::format(
      "{}: {} {}, {} {}, seed {}\n"
      "done       {} of {} shards, {} of {} {}{}\n",
      printable(folder.path().string()), study::verb(question.kind), printable(question.scenario),
      question.replicas, study::units(question.kind), question.seed, status.done, status.shards,
      status.replicas_done, status.replicas,
      question.kind == study::StudyKind::search ? "searches" : "simulated campaigns",
      status.replicas_failed > 0 ? fmt::format("; {} failed", status.replicas_failed) : "");
  if (status.damaged > 0) {
    text += fmt::format("damaged    {} results, which count as missing\n", status.damaged);
  }
  if (status.running + status.waiting + status.held > 0) {
    text += fmt::format("queue      {} running, {} waiting, {} held\n", status.running,
                        status.waiting, status.held);
  }
  if (status.left) text += fmt::format("time left  about {}\n", to_text(*status.left));
  text += count_lines("failures", status.failures) + count_lines("shards of", status.hosts);
  for (auto const& trouble : status.trouble) text += "not known  " + printable(trouble) + "\n";
  return text + next_text(folder, status);
}

std::string status_json(study::StudyFolder const& folder, StudyStatus const& status) {
  auto const& study = folder.study();
  return json_text({{"schema", "gridcast.study-status/1"},
                    {"study", folder.path().string()},
                    {"verb", gridcast::study::verb(study.question.kind)},
                    {"scenario", study.question.scenario},
                    {"replicas", study.question.replicas},
                    {"seed", study.question.seed},
                    {"shards", status.shards},
                    {"done", status.done},
                    {"damaged", status.damaged},
                    {"simulated",
                     {{"wanted", status.replicas},
                      {"done", status.replicas_done},
                      {"failed", status.replicas_failed}}},
                    {"queue",
                     {{"running", status.running},
                      {"waiting", status.waiting},
                      {"held", status.held},
                      {"lost", status.lost}}},
                    {"in_use", status.in_use},
                    {"failures", status.failures},
                    {"hosts", status.hosts},
                    {"left_s", status.left ? json_number(status.left->value()) : nullptr},
                    {"trouble", status.trouble}});
}

struct StudyVerbOptions {
  fs::path folder;
  StudyArguments answer;
  OnArguments on = {};
};

void show_status(StudyVerbOptions const& options) {
  study::StudyFolder const folder(options.folder);
  auto const status = status_of(folder);
  std::cout << (options.answer.json ? status_json(folder, status) : status_text(folder, status));
}

int gather(StudyVerbOptions const& options) {
  study::StudyFolder folder(options.folder);
  return gather_study(folder, options.answer);
}

int resume(StudyVerbOptions const& options) {
  study::StudyFolder folder(options.folder);
  return resume_study(folder, options.on, options.answer);
}

/// A system that has accepted nothing need not answer.
void cancel_there(study::BatchSystem system, study::StudyFolder const& folder) {
  try {
    study::cancel(system, folder);
  } catch (InputError const&) {
    if (study::has_taken(system, folder)) throw;
  }
}

void cancel(StudyVerbOptions const& options) {
  study::StudyFolder const folder(options.folder);
  study::FolderLock const lock(options.folder);
  auto const systems = study::systems_used(folder);
  bool const any = std::ranges::any_of(
      systems, [&](auto const system) { return study::has_taken(system, folder); });
  for (auto const system : systems) cancel_there(system, folder);
  auto const found = folder.checked();
  std::cout << fmt::format(
      "{} Results of {} of {} shards stay in {}; gridcast compare gather and "
      "resume use them.\n",
      any ? "Its shards are taken out of the queue." : "No batch system has shards of it.",
      found.results.size(), found.all.size(), printable(options.folder.string()));
}

struct ShardOptions {
  fs::path frozen, out;
  std::string shard;
};

/// The shard of that name; InputError unless the study has its replicas.
study::Shard shard_of(study::FrozenStudy const& study, std::string const& text) {
  auto const shard = study::shard_named(text);
  if (shard && shard->to <= study.question.replicas) return *shard;
  refuse({}, fmt::format("'{}' is no shard of this study", text),
         fmt::format("it has {} campaigns", study.question.replicas), "A shard is called '0-500'.");
}

int simulate_shard(ShardOptions const& options) {
  auto const study = study::read_frozen(options.frozen, study::FrozenFiles::but_program);
  auto const shard = shard_of(study, options.shard);
  auto const frozen = study::open_frozen(study);
  prepare_folder(options.out);
  auto const result = simulated_shard(shard, study.question, frozen, frozen.options);
  if (!result) return exit_code::interrupted;
  study::write_result(options.out, study.fingerprint, *result);
  std::cout << fmt::format("{} on {}: {} simulated campaigns, {} failed, {}\n", options.shard,
                           result->record.host, result->records.size(), result->failed.size(),
                           to_text(result->record.took));
  return exit_code::done;
}

/// A verb on the folder of a study.
Verb add_study_verb(Verb& verbs, std::shared_ptr<StudyVerbOptions> const& options, char const* name,
                    char const* help, auto run, char const* examples) {
  Verb verb = verbs.verb(name, help);
  verb.positional("DIR", &options->folder, "The study's folder").required();
  verb.footer(examples);
  verb.runs([=] { return run(*options); });
  return verb;
}

void add_shard(Verb& verbs) {
  auto options = std::make_shared<ShardOptions>();
  Verb verb = verbs.verb("shard", "The program of a batch job: one shard of a frozen study");
  verb.positional("FROZEN", &options->frozen, "The folder 'frozen' of a study").required();
  verb.positional("SHARD", &options->shard, "Which: '0-500'").required();
  verb.option("--out", &options->out, "Folder for the result", "DIR").required();
  verb.footer(
      "  gridcast compare shard frozen 0-500 --out .\n"
      "  gridcast compare shard frozen 500-1000 --out results");
  verb.runs([options] { return simulate_shard(*options); });
}

}  // namespace

void add_study(Verb& verbs) {
  auto const options = std::make_shared<StudyVerbOptions>();
  Verb status =
      add_study_verb(verbs, options, "status",
                     "A study in shards (--on): how far it is, what failed and why", show_status,
                     "  gridcast compare status osg-imagenet.study\n"
                     "  gridcast compare status osg-imagenet.study --json");
  add_json_option(status, options->answer.json);
  Verb gathers = add_study_verb(verbs, options, "gather",
                                "The answer from the results so far, marked as partial", gather,
                                "  gridcast compare gather osg-imagenet.study\n"
                                "  gridcast compare gather osg-imagenet.study --json");
  add_answer_options(gathers, options->answer);
  Verb resumes =
      add_study_verb(verbs, options, "resume", "Submit or simulate the missing part only", resume,
                     "  gridcast compare resume osg-imagenet.study\n"
                     "  gridcast compare resume osg-imagenet.study --on local -j 2");
  add_system_option(resumes, options->on);
  add_submit_option(resumes, options->on);
  add_workers_option(resumes, options->answer.processes);
  add_answer_options(resumes, options->answer);
  add_progress_options(resumes, options->answer.verbose, options->answer.quiet);
  add_study_verb(verbs, options, "cancel", "Take its shards out of the queue; results stay", cancel,
                 "  gridcast compare cancel osg-imagenet.study\n"
                 "  gridcast compare cancel osg-imagenet.study && gridcast compare gather "
                 "osg-imagenet.study");
  add_shard(verbs);
}

}  // namespace gridcast::cli
