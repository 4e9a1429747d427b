#include "sim/cli/study_on.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/cli/recovery_study.hpp"
#include "sim/cli/score_plan.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/text/characters.hpp"
#include "sim/study/shards/batch_system.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

constexpr char const* here = "local";

std::optional<study::BatchSystem> system_named(std::string const& name) {
  if (name == here) return std::nullopt;
  return name == "slurm" ? study::BatchSystem::slurm : study::BatchSystem::htcondor;
}

/// Options that say what is done with an answer, which is not there yet.
void refuse_answers(OnArguments const& on, StudyArguments const& arguments) {
  std::vector<std::string> given;
  if (!arguments.resume.empty()) given.push_back("--resume");
  if (on.system != here) {
    if (arguments.json) given.push_back("--json");
    if (!arguments.csv.empty()) given.push_back("--csv");
    if (!arguments.report.file.empty()) given.push_back("--report");
    if (!arguments.report.deadline.empty()) given.push_back("--deadline");
  }
  if (given.empty()) return;
  throw InputError(Problem{{},
                           fmt::format("{} cannot be given with --on", fmt::join(given, ", ")),
                           "the study's folder keeps the replicas, and the answer comes later",
                           "Give it to 'gridcast study gather' (instead of --resume: 'gridcast "
                           "study resume')."});
}

study::StudyQuestion question_of(study::StudyKind kind, OnArguments const& on) {
  study::StudyQuestion question;
  question.kind = kind;
  question.system = on.system;
  question.submit_lines = on.submit_lines;
  return question;
}

study::StudyQuestion question_of(StudyArguments const& arguments, AskedStudy const& asked,
                                 OnArguments const& on) {
  auto const options = study_options(arguments, asked.scenario.study);
  auto question = question_of(asked.kind, on);
  question.scenario = asked.scenario.file.string();
  question.overrides = asked.scenario.overrides;
  question.strategy = asked.strategy;
  question.replicas = static_cast<std::uint32_t>(options.replicas);
  question.seed = options.seed;
  question.network = options.simulation.network;
  question.horizon = horizon_of(arguments.horizon);
  question.time_limit = Seconds(std::chrono::duration<double>(options.patience).count());
  for (auto const& file : asked.records) question.records.push_back(file.string());
  question.columns = asked.record.columns;
  question.evidence = asked.evidence;
  question.prefix = asked.record.prefix;
  return question;
}

/// What is asked is not written over, though the study has a copy of its own.
void prepare_answer(StudyArguments const& arguments, AskedStudy const& asked) {
  std::vector<fs::path> inputs = files_of(asked.scenario);
  inputs.insert(inputs.end(), asked.records.begin(), asked.records.end());
  inputs.emplace_back(asked.record.columns);
  if (asked.kind == study::StudyKind::comparison) prepare_comparison(arguments, inputs);
  if (asked.kind == study::StudyKind::prediction) prepare_prediction(arguments, inputs);
}

/// Plays shards one after the other, each in as many processes as are wanted.
int play_here(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
              std::vector<study::Shard> const& shards, StudyArguments const& arguments) {
  check_arithmetic(folder.study());
  study::StudyOptions options = frozen.options;
  options.processes = arguments.processes;
  std::size_t total = 0, before = 0, failed_before = 0;
  auto const n = frozen.strategies.size();
  auto const tasks_of = [n](study::Shard const& shard) {
    return (shard.to - shard.from) * (shard.smaller ? 1 : n);
  };
  for (auto const& shard : shards) total += tasks_of(shard);
  auto const play = shard_player(folder.study(), frozen);
  ProgressReport report(arguments.verbose, arguments.quiet);
  auto const show = report.callback();
  options.progress = [&](std::size_t done, std::size_t failed, std::size_t) {
    show(before + done, failed_before + failed, total);
  };
  for (auto const& shard : shards) {
    auto const result = play(shard, options);
    if (!result) return exit_code::interrupted;
    study::write_result(folder.path() / "results", folder.study().fingerprint, *result);
    before += tasks_of(shard);
    failed_before += result->failed.size();
  }
  return exit_code::done;
}

void find_what_is_next(study::StudyFolder& folder, study::FrozenScenario const& frozen) {
  if (folder.study().question.kind == study::StudyKind::calibration) {
    find_next_round(folder);
  } else {
    study::find_what_else_is_wanted(folder, frozen);
  }
}

/// Here, until all that is known to be wanted is there; then the answer.
int play_and_answer(study::StudyFolder& folder, std::vector<study::Shard> shards,
                    StudyArguments const& arguments) {
  auto const frozen = study::open_frozen(folder.study());
  while (!shards.empty()) {
    int const code = play_here(folder, frozen, shards, arguments);
    if (code != exit_code::done) {
      std::cout << fmt::format("Interrupted; to go on: gridcast study resume {}\n", folder.typed());
      return code;
    }
    find_what_is_next(folder, frozen);
    shards = folder.find(study::Reading::head).missing;
  }
  return gather_study(folder, arguments);
}

void say_what_next(study::StudyFolder const& folder, std::string const& system,
                   std::vector<std::string> const& ids, std::size_t shards) {
  auto const& study = folder.study();
  std::string const path = folder.typed();
  bool const in_rounds = study.question.kind == study::StudyKind::calibration;
  std::cout << fmt::format(
      "{} has {} of the study in {} (job{} {}){}.\n"
      "  gridcast study status {}    how far it is\n"
      "  gridcast study resume {}    {}\n"
      "  gridcast study gather {}    {}\n",
      system == "slurm" ? "Slurm" : "HTCondor", counted(shards, "shard"),
      printable(folder.path().string()), ids.size() == 1 ? "" : "s", fmt::join(ids, ", "),
      in_rounds ? fmt::format(", round {} of simulations", folder.rounds())
                : fmt::format(", {} replicas each, about {}", study.shard_size,
                              to_text(study.replica_takes * study.shard_size)),
      path, path,
      in_rounds ? "hands over what got lost; once all is there, the next round"
                : "hands over what got lost",
      path,
      in_rounds ? "the calibration, after the last round"
                : "the answer, at any time, of what is there");
}

/// What a queue holds. Of one that does not answer nothing is known, which keeps nobody from going
/// on with another system (`on`) that is named.
std::vector<study::QueuedShard> queued_or_unknown(study::BatchSystem system,
                                                  study::StudyFolder const& folder,
                                                  std::string const& on) {
  try {
    return study::queued_shards(system, folder);
  } catch (InputError const& error) {
    if (!study::has_taken(system, folder)) return {};
    if (on.empty() || on == study::name(system)) throw;
    tell(fmt::format(
        "{}\nWhat may still be queued there is not known. It does no harm if it is played twice.\n",
        error.what()));
  }
  return {};
}

/// Those of `shards` that no queue holds.
std::vector<study::Shard> not_in_a_queue(study::StudyFolder const& folder,
                                         std::vector<study::Shard> shards, std::string const& on) {
  std::set<std::string> queued;
  for (auto const system : study::systems_used(folder)) {
    for (auto const& each : queued_or_unknown(system, folder, on)) queued.insert(each.shard);
  }
  std::erase_if(shards, [&](auto const& shard) { return queued.contains(study::name(shard)); });
  return shards;
}

}  // namespace

void add_system_options(Verb& verb, OnArguments& arguments) {
  verb.option("--on", &arguments.system,
              "Who plays the replicas, in shards of ten minutes: a batch system, or this\n"
              "machine (docs/studies.md)",
              "slurm|htcondor|local")
      .one_of({"slurm", "htcondor", here});
  verb.option("--submit-option", &arguments.submit_lines,
              "For the batch system: an option of sbatch ('--account=abc'), a line of\n"
              "HTCondor's submit file ('+ProjectName = \"abc\"')",
              "LINE")
      .repeatable()
      // A second line would be a command of the script's.
      .check([](std::string const& line) {
        return line == printable(line) ? "" : "write one line without control characters";
      });
}

void add_on_options(Verb& verb, OnArguments& arguments) {
  add_system_options(verb, arguments);
  verb.option("--study", &arguments.study, "Of --on: the study's folder (default: NAME.study)",
              "DIR");
  constexpr std::uint64_t most = 10'000'000;
  verb.option("--shard-size", &arguments.shard_size,
              "Of --on: replicas a shard (default: ten minutes)", "N")
      .whole_number(1, most);
}

void add_jobs_option(Verb& verb, StudyArguments& arguments) {
  constexpr std::uint64_t most = 1024;
  arguments.processes = std::max(1U, std::thread::hardware_concurrency());
  verb.option("-j,--jobs", &arguments.processes, "Replicas at a time, of those played here", "N")
      .whole_number(1, most)
      .shows_default();
}

study::ShardPlayer shard_player(study::StudyQuestion const& question,
                                scenario::Scenario const& scenario,
                                std::vector<scenario::Strategy> const& strategies) {
  if (question.kind == study::StudyKind::recovery) {
    return recovery_player(scenario, question.evidence, question.seed);
  }
  return [&](study::Shard const& shard, study::StudyOptions const& options) {
    return study::play(shard, scenario, strategies, options);
  };
}

study::ShardPlayer shard_player(study::FrozenStudy const& study,
                                study::FrozenScenario const& frozen) {
  if (study.question.kind == study::StudyKind::scores) return score_player(frozen_plan(study));
  if (study.question.kind == study::StudyKind::calibration) return calibration_player(study);
  return shard_player(study.question, frozen.scenario, frozen.strategies);
}

namespace {

/// A study before it has a folder.
struct NewStudy {
  std::string name;                                       // of what it is
  std::function<std::optional<study::ShardPlan>()> plan;  // nothing if it was interrupted
  std::function<void(fs::path const& folder, study::ShardPlan const&)> freeze;
};

/// study.json, which has to name files and folders later, is UTF-8.
void refuse_other_bytes(fs::path const& folder) {
  for (std::string const& text : {own_command_line(), fs::absolute(folder).string()}) {
    if (report::is_utf8(text)) continue;
    throw InputError(Problem{{},
                             "--on: '" + text + "' is not UTF-8",
                             "the study's folder could not keep it to go on from",
                             "Give the file, folder or option another name."});
  }
}

int begin(OnArguments const& on, StudyArguments const& arguments, NewStudy const& made) {
  refuse_answers(on, arguments);
  auto const system = system_named(on.system);
  if (system) study::check_is_there(*system);
  fs::path const path = on.study.empty() ? fs::path(made.name + ".study") : on.study;
  refuse_other_bytes(path);
  if (system) study::check_path(*system, path);
  study::prepare_study_folder(path);
  study::FolderLock const lock(path);
  // Another process may have begun one meanwhile.
  study::prepare_study_folder(path);
  auto const plan = made.plan();
  if (!plan) return exit_code::interrupted;
  made.freeze(path, *plan);
  study::StudyFolder folder(path);
  auto const shards = folder.find(study::Reading::head).missing;
  if (!system) return play_and_answer(folder, shards, arguments);
  auto const ids = study::submit(*system, folder, shards, {on.submit_lines});
  say_what_next(folder, on.system, ids, shards.size());
  return exit_code::done;
}

}  // namespace

int begin_study(OnArguments const& on, StudyArguments const& arguments, AskedStudy const& asked) {
  auto const strategies = asked.kind == study::StudyKind::comparison
                              ? asked.scenario.strategies
                              : std::vector{asked.scenario.strategy(asked.strategy)};
  if (on.system == here) prepare_answer(arguments, asked);
  auto const question = question_of(arguments, asked, on);
  auto const freeze = [&](fs::path const& folder, study::ShardPlan const& plan) {
    study::freeze(folder, question, asked.scenario, asked.records, plan, own_command_line());
  };
  auto const plan = [&] {
    return study::plan_shards(shard_player(question, asked.scenario, strategies),
                              study_options(arguments, asked.scenario.study), on.shard_size);
  };
  return begin(on, arguments, {asked.scenario.file.stem().string(), plan, freeze});
}

int begin_scores(OnArguments const& on, StudyArguments const& arguments, ScorePlan const& plan,
                 std::vector<fs::path> const& records, std::string const& of) {
  StudyArguments all = arguments;
  all.replicas = replicas_of(plan) * static_cast<std::uint32_t>(plan.forecasts.size());
  auto const options = study_options(all, {});
  auto question = question_of(study::StudyKind::scores, on);
  question.scenario = of;
  for (auto const& file : records) question.records.push_back(file.string());
  question.replicas = *all.replicas;
  question.seed = options.seed;
  question.horizon = horizon_of(all.horizon);
  question.time_limit = Seconds(std::chrono::duration<double>(options.patience).count());
  auto const freeze = [&](fs::path const& folder, study::ShardPlan const& cut) {
    std::vector<scenario::Scenario> scenarios;
    for (auto const& each : plan.forecasts) {
      scenarios.push_back(scenario::read_scenario(each.scenario, each.overrides));
    }
    study::freeze_scores(folder, question, scenarios, score_plan_json(plan), cut,
                         own_command_line());
  };
  auto const cut = [&] { return study::plan_shards(score_player(plan), options, on.shard_size); };
  return begin(on, arguments, {fs::path(of).stem().string(), cut, freeze});
}

int begin_calibration(OnArguments const& on, StudyArguments const& arguments,
                      TableCalibration const& asked) {
  constexpr Seconds longest_task = days(1);  // a search of links in large campaigns takes hours
  auto question = question_of(study::StudyKind::calibration, on);
  question.scenario = asked.request.tables.front().string();
  question.seed = asked.request.seed;
  question.time_limit = longest_task;
  question.records.push_back(asked.request.pool.string());
  for (auto const& table : asked.request.tables) question.records.push_back(table.string());
  auto const plan = [&]() -> std::optional<study::ShardPlan> {
    auto const first = first_round(asked);
    if (!first) return std::nullopt;
    question.replicas = first->tasks;
    return first->plan;
  };
  auto const freeze = [&](fs::path const& folder, study::ShardPlan const& cut) {
    study::freeze_calibration(folder, question, table_calibration_json(asked), cut,
                              own_command_line());
  };
  return begin(on, arguments, {asked.out.stem().string(), plan, freeze});
}

namespace {

/// The one that is named, else the last that had shards, else that which the study was begun for:
/// it may have been killed before it handed anything over.
std::string system_to_go_on(study::StudyFolder const& folder, OnArguments const& on) {
  if (!on.system.empty()) return on.system;
  auto const used = study::systems_used(folder);
  return used.empty() ? folder.study().question.system : std::string(study::name(used.back()));
}

/// Those that are given, else those that the study was begun with on the same system.
std::vector<std::string> lines_for(std::string const& system, study::StudyFolder const& folder,
                                   OnArguments const& on) {
  auto const& question = folder.study().question;
  bool const as_begun = on.submit_lines.empty() && system == question.system;
  return as_begun ? question.submit_lines : on.submit_lines;
}

}  // namespace

int resume_study(study::StudyFolder& folder, OnArguments const& on,
                 StudyArguments const& arguments) {
  study::FolderLock const lock(folder.path());
  auto const frozen = study::open_frozen(folder.study());
  std::string const name = system_to_go_on(folder, on);
  auto const system = system_named(name);
  if (system) study::check_is_there(*system);
  find_what_is_next(folder, frozen);
  auto const found = find_results(folder, frozen);
  std::vector<study::Shard> wanted = found.missing;
  wanted.insert(wanted.end(), found.with_failures.begin(), found.with_failures.end());
  auto const shards = not_in_a_queue(folder, wanted, on.system);
  if (!system) return play_and_answer(folder, shards, arguments);
  if (shards.empty()) {
    std::cout << (wanted.empty() ? "Nothing is missing: gridcast study gather "
                                 : "All that is missing is in the queue: gridcast study status ")
              << folder.typed() << '\n';
    return exit_code::done;
  }
  auto const ids = study::submit(*system, folder, shards, {lines_for(name, folder, on)});
  say_what_next(folder, name, ids, shards.size());
  return exit_code::done;
}

}  // namespace gridcast::cli
