#include "sim/cli/distributed_study.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/optimize/scoreboard.hpp"
#include "sim/optimize/search.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/optimum_text.hpp"
#include "sim/scenario/strategy_variant.hpp"
#include "sim/study/shards/batch_system.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::cli {
namespace {

optimize::Party party_named(std::string const& name) {
  auto const& names = optimize::party_names;
  return static_cast<optimize::Party>(std::ranges::find(names, name) - names.begin());
}

/// The scenario with the recommended strategy, if there is one.
std::string variant_text(scenario::Scenario const& scenario, optimize::Optimum const& optimum,
                         fs::path const& out) {
  auto variant = optimum.recommended;
  variant.name = "optimized";
  variant.description.about = optimum.changes.empty()
                                  ? "No change: gridcast optimize found nothing better."
                                  : "The change that gridcast optimize recommends.";
  fs::path const folder = out.parent_path();
  return scenario::with_variant(
      scenario, optimum.current, variant,
      {from_folder(scenario.pool_path, folder), from_folder(scenario.calibration.file, folder)});
}

constexpr char const* here = "local";

std::optional<study::BatchSystem> system_named(std::string const& name) {
  if (name == here) return std::nullopt;
  return name == "slurm" ? study::BatchSystem::slurm : study::BatchSystem::htcondor;
}

/// Refuses options about the answer, which comes later.
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
  refuse({}, fmt::format("{} cannot be given with --on", fmt::join(given, ", ")),
         "the study's folder keeps the campaigns, and the answer comes later",
         "Give it to 'gridcast compare gather' (instead of --resume: 'gridcast "
         "compare resume').");
}

study::StudyQuestion question_of(StudyArguments const& arguments, AskedStudy const& asked,
                                 OnArguments const& on) {
  auto const options = study_options(arguments, asked.scenario.study);
  study::StudyQuestion question;
  question.kind = asked.kind;
  question.system = on.system;
  question.submit_lines = on.submit_lines;
  question.scenario = asked.scenario.file.string();
  question.overrides = asked.scenario.overrides;
  question.strategy = asked.strategy;
  question.party = asked.party;
  question.budget = asked.budget;
  question.replicas = static_cast<std::uint32_t>(options.replicas);
  question.seed = options.seed;
  question.network = options.simulation.network;
  question.horizon = horizon_of(arguments.horizon);
  for (auto const& file : asked.records) question.records.push_back(file.string());
  question.columns = asked.record.columns;
  question.prefix = asked.record.prefix;
  return question;
}

/// The answer must not overwrite the input, although the study has a copy of its own.
void prepare_answer(StudyArguments const& arguments, AskedStudy const& asked) {
  if (asked.kind == study::StudyKind::search) return;  // on the screen, and in the study's folder
  std::vector<fs::path> inputs = files_of(asked.scenario);
  inputs.insert(inputs.end(), asked.records.begin(), asked.records.end());
  inputs.emplace_back(asked.record.columns);
  asked.kind == study::StudyKind::comparison ? prepare_comparison(arguments, inputs)
                                             : prepare_prediction(arguments, inputs);
}

/// Simulates shards one after the other, each in `arguments.processes` processes.
int run_shards(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
               std::vector<study::Shard> const& shards, StudyArguments const& arguments) {
  study::StudyOptions options = frozen.options;
  options.processes = arguments.processes;
  std::size_t total = 0, before = 0, failed_before = 0;
  auto const n = frozen.strategies.size();
  auto const tasks_of = [n](study::Shard const& shard) { return (shard.to - shard.from) * n; };
  for (auto const& shard : shards) total += tasks_of(shard);
  ProgressReport report(arguments.verbose, arguments.quiet);
  auto const show = report.callback();
  options.progress = [&](std::size_t done, std::size_t failed, std::size_t) {
    show(before + done, failed_before + failed, total);
  };
  for (auto const& shard : shards) {
    auto const result = simulated_shard(shard, folder.study().question, frozen, options);
    if (!result) return exit_code::interrupted;
    study::write_result(folder.path() / "results", folder.study().fingerprint, *result);
    before += tasks_of(shard);
    failed_before += result->failed.size();
  }
  return exit_code::done;
}

/// Runs shards here until none is missing; then the answer.
int run_and_answer(study::StudyFolder& folder, std::vector<study::Shard> shards,
                   StudyArguments const& arguments) {
  auto const frozen = study::open_frozen(folder.study());
  while (!shards.empty()) {
    int const code = run_shards(folder, frozen, shards, arguments);
    if (code != exit_code::done) {
      std::cout << fmt::format("Interrupted; to continue: gridcast compare resume {}\n",
                               folder.typed());
      return code;
    }
    shards = folder.checked().missing;
  }
  return gather_study(folder, arguments);
}

void say_what_next(study::StudyFolder const& folder, std::string const& system,
                   std::vector<std::string> const& ids, std::size_t shards) {
  auto const& study = folder.study();
  std::string const path = folder.typed();
  std::cout << fmt::format(
      "{0} has {1} of the study in {2} (job{3} {4}), {5} {8} each, about {6}.\n"
      "  gridcast compare status {7}    how far it is\n"
      "  gridcast compare resume {7}    submits lost shards again\n"
      "  gridcast compare gather {7}    the answer from the results so far\n",
      system == "slurm" ? "Slurm" : "HTCondor", counted(shards, "shard"),
      printable(folder.path().string()), ids.size() == 1 ? "" : "s", fmt::join(ids, ", "),
      study.shard_size, to_text(study.replica_takes * study.shard_size), path,
      study::units(study.question.kind));
}

/// The shards in a queue. A queue that does not answer is no obstacle if the user continues with
/// another system (`on`).
std::vector<study::QueuedShard> queued_or_unknown(study::BatchSystem system,
                                                  study::StudyFolder const& folder,
                                                  std::string const& on) {
  try {
    return study::queued_shards(system, folder);
  } catch (InputError const& error) {
    if (!study::has_taken(system, folder)) return {};
    if (on.empty() || on == study::name(system)) throw;
    print_notes(fmt::format(
        "{}\nThe number of jobs still queued there is not known. A shard may run twice without harm.\n",
        error.what()));
  }
  return {};
}

/// The shards that are in no queue.
std::vector<study::Shard> not_in_a_queue(study::StudyFolder const& folder,
                                         std::vector<study::Shard> shards, std::string const& on) {
  std::set<std::string> queued;
  for (auto const system : study::systems_used(folder)) {
    for (auto const& each : queued_or_unknown(system, folder, on)) queued.insert(each.shard);
  }
  std::erase_if(shards, [&](auto const& shard) { return queued.contains(study::name(shard)); });
  return shards;
}

/// study.json, which names files and folders, is UTF-8.
void refuse_other_bytes(fs::path const& folder) {
  for (std::string const& text : {own_command_line(), fs::absolute(folder).string()}) {
    if (report::is_utf8(text)) continue;
    refuse({}, "--on: '" + text + "' is not UTF-8",
           "the study's folder cannot store it for a later resume",
           "Give the file, folder or option another name.");
  }
}

/// The system that the user names, else the last that received shards, else the one that the study
/// was begun for (it may have been killed before it submitted anything).
std::string system_to_go_on(study::StudyFolder const& folder, OnArguments const& on) {
  if (!on.system.empty()) return on.system;
  auto const used = study::systems_used(folder);
  return used.empty() ? folder.study().question.system : std::string(study::name(used.back()));
}

/// The given lines, else those that the study was begun with on the same system.
std::vector<std::string> lines_for(std::string const& system, study::StudyFolder const& folder,
                                   OnArguments const& on) {
  auto const& question = folder.study().question;
  bool const as_begun = on.submit_lines.empty() && system == question.system;
  return as_begun ? question.submit_lines : on.submit_lines;
}

/// The shards as jobs: a row for each shard with a result.
std::string attempts_table(study::StudyFolder const& folder,
                           std::vector<study::ShardResult> const& results) {
  std::string text = "job,name,submitted,matched,started,ended,outcome,site,host\n";
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto const& [shard, record, records, failed] = results[i];
    auto const ended = static_cast<double>(record.started) + record.took.value();
    text += fmt::format("{},{},{},{},{},{:.3f},succeeded,{},{}\n", i,
                        folder.job_name() + "." + study::name(shard), folder.study().begun,
                        record.started, record.started, ended, record.host, record.host);
  }
  return text;
}

void print_missing(study::StudyFolder const& folder, study::FoundShards const& found) {
  if (found.missing.empty()) return;
  print_notes(fmt::format(
      "{} of {} shards have no result yet{}. gridcast compare status {} says where they are; "
      "gridcast compare resume simulates the missing part.\n",
      found.missing.size(), found.all.size(),
      found.damaged.empty() ? "" : fmt::format(" ({} are damaged)", found.damaged.size()),
      folder.typed()));
}

/// A part of a study does not end with status 0.
int code_of_part(int code, bool is_partial) {
  return code == exit_code::interrupted && is_partial ? exit_code::incomplete : code;
}

/// An answer must not overwrite the study's folder, nor the files that it was begun with.
std::vector<fs::path> inputs_of_answer(study::StudyFolder const& folder) {
  std::vector<fs::path> inputs = folder.files();
  for (auto const& file : folder.study().originals) inputs.emplace_back(file);
  return inputs;
}

int gather_comparison(study::StudyFolder& folder, study::FrozenScenario const& frozen,
                      study::FoundShards const& found, StudyArguments const& arguments) {
  prepare_comparison(arguments, inputs_of_answer(folder));
  auto const comparison = study::gathered_comparison(folder, frozen, found);
  int const code = answer(arguments, frozen.scenario, comparison);
  print_missing(folder, found);
  return code_of_part(code, comparison.interrupted);
}

/// The choice between the points of all searches, and its gain with fresh random numbers.
int gather_search(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                  StudyArguments const& arguments) {
  auto const& question = folder.study().question;
  auto const& current = frozen.strategies.front();
  auto study = frozen.options;
  study.processes = arguments.processes;
  auto options = optimize_options(question.party, question.budget, study);
  auto const found =
      folder.read(optimize::columns_of_searches(frozen.scenario, current, options.as));
  options.found = optimize::points_of(found.results);
  if (options.found.empty()) {
    refuse({folder.path().string()}, "no search has ended yet",
           "the answer is a choice between their results",
           fmt::format("Look again with: gridcast compare status {}", folder.typed()));
  }
  auto optimum = with_progress(arguments, options.study, [&](auto const& with) {
    options.study = with;
    return optimize::optimum(frozen.scenario, current, options);
  });
  optimum.scenario = question.scenario;
  int const code = answer(arguments, frozen.scenario, optimum, folder.path() / "optimized.yaml");
  print_missing(folder, found);
  bool const is_part = !found.missing.empty() && code == exit_code::done;
  return is_part ? exit_code::incomplete : code;
}

int gather_prediction(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                      study::FoundShards const& found, StudyArguments const& arguments) {
  auto const& study = folder.study();
  std::vector<fs::path> records;
  for (auto const& file : study.record_files) records.push_back(study.folder / file);
  RecordArguments reading{study.question.columns, study.question.prefix, {}};
  if (!study.columns_file.empty()) reading.columns = (study.folder / study.columns_file).string();
  auto const observed = observed_campaign(records, reading);
  prepare_prediction(arguments, inputs_of_answer(folder));
  auto const prediction = study::gathered_prediction(folder, frozen, found);
  int const code =
      answer(arguments, frozen.scenario, frozen.strategies.front(), prediction, observed);
  print_missing(folder, found);
  return code_of_part(code, prediction.interrupted);
}

/// Searches have a shard each, unless the user chooses otherwise.
std::optional<study::ShardPlan> plan_of(OnArguments const& on, StudyArguments const& arguments,
                                        AskedStudy const& asked,
                                        std::vector<scenario::Strategy> const& strategies) {
  auto const options = study_options(arguments, asked.scenario.study);
  bool const searches = asked.kind == study::StudyKind::search;
  auto plan = study::plan_shards(asked.scenario, strategies, options,
                                 searches ? on.shard_size.value_or(1) : on.shard_size);
  if (!plan || !searches) return plan;
  auto const campaigns = optimize::campaigns_in(asked.budget);
  plan->replica_takes = campaigns ? plan->replica_takes * static_cast<double>(*campaigns)
                                  : parse_seconds(asked.budget).value_or(Seconds());
  return plan;
}

}  // namespace

optimize::OptimizeOptions optimize_options(std::string const& as, std::string const& budget,
                                           study::StudyOptions const& study) {
  optimize::OptimizeOptions options{.as = party_named(as),
                                    .replicas = optimize::campaigns_in(budget)};
  options.time = parse_seconds(budget).value_or(options.time);
  options.study = study;
  return options;
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           optimize::Optimum const& optimum, fs::path const& out) {
  auto const shown = screen();
  print_results(arguments.json      ? report::optimum_json(optimum)
                : arguments.details ? report::optimum_text(optimum, shown)
                                    : report::brief_optimum(optimum, shown));
  if (!out.empty()) {
    write_output(out.parent_path(),
                 {{out.filename().string(), variant_text(scenario, optimum, out)}});
  }
  if (optimum.interrupted) return exit_code::interrupted;
  return optimum.failed > 0 ? exit_code::incomplete : exit_code::done;
}

std::optional<study::ShardResult> simulated_shard(study::Shard const& shard,
                                                  study::StudyQuestion const& question,
                                                  study::FrozenScenario const& frozen,
                                                  study::StudyOptions const& options) {
  if (question.kind == study::StudyKind::search) {
    return optimize::make_searches(shard, frozen.scenario, frozen.strategies.front(),
                                   optimize_options(question.party, question.budget, options));
  }
  return study::simulate_shard(shard, frozen.scenario, frozen.strategies, options);
}

Option add_system_option(Verb& verb, OnArguments& arguments) {
  return verb
      .option("--on", &arguments.system,
              "Who simulates the campaigns, in shards of ten minutes: a batch system, or this\n"
              "machine (docs/studies.md)",
              "slurm|htcondor|local")
      .one_of({"slurm", "htcondor", here});
}

Option add_submit_option(Verb& verb, OnArguments& arguments) {
  return verb
      .option("--submit-option", &arguments.submit_lines,
              "For the batch system: an option of sbatch ('--account=abc'), a line of\n"
              "HTCondor's submit file ('+ProjectName = \"abc\"')",
              "LINE")
      .repeatable()
      // A second line would be a command of the script's.
      .check([](std::string const& line) {
        return line == printable(line) ? "" : "write one line without control characters";
      });
}

Option add_on_options(Verb& verb, OnArguments& arguments) {
  Verb group = verb.group("Batch system");
  Option const on = add_system_option(group, arguments);
  add_submit_option(group, arguments).needs(on);
  group
      .option("--study", &arguments.study, "With --on: the study's folder (default: NAME.study)",
              "DIR")
      .needs(on);
  constexpr std::uint64_t most = 10'000'000;
  group
      .option("--shard-size", &arguments.shard_size,
              "With --on: campaigns a shard (default: ten minutes)", "N")
      .whole_number(1, most)
      .needs(on);
  return on;
}

int begin_study(OnArguments const& on, StudyArguments const& arguments, AskedStudy const& asked) {
  auto const strategies = asked.kind == study::StudyKind::comparison
                              ? asked.scenario.strategies
                              : std::vector{asked.scenario.strategy(asked.strategy)};
  if (on.system == here) prepare_answer(arguments, asked);
  refuse_answers(on, arguments);
  auto const system = system_named(on.system);
  if (system) study::check_is_there(*system);
  fs::path const path =
      on.study.empty() ? fs::path(asked.scenario.file.stem().string() + ".study") : on.study;
  refuse_other_bytes(path);
  if (system) study::check_path(*system, path);
  study::prepare_study_folder(path);
  study::FolderLock const lock(path);
  // Another process may have begun one meanwhile.
  study::prepare_study_folder(path);
  auto const plan = plan_of(on, arguments, asked, strategies);
  if (!plan) return exit_code::interrupted;
  study::freeze(path, question_of(arguments, asked, on), asked.scenario, asked.records, *plan,
                own_command_line());
  study::StudyFolder folder(path);
  auto const shards = folder.checked().missing;
  if (!system) return run_and_answer(folder, shards, arguments);
  auto const ids = study::submit(*system, folder, shards, on.submit_lines);
  say_what_next(folder, on.system, ids, shards.size());
  return exit_code::done;
}

int resume_study(study::StudyFolder& folder, OnArguments const& on,
                 StudyArguments const& arguments) {
  study::FolderLock const lock(folder.path());
  auto const frozen = study::open_frozen(folder.study());
  std::string const name = system_to_go_on(folder, on);
  auto const system = system_named(name);
  if (system) study::check_is_there(*system);
  auto const found = folder.study().question.kind == study::StudyKind::search ? folder.checked()
                                                                              : folder.read(frozen);
  std::vector<study::Shard> wanted = found.missing;
  wanted.insert(wanted.end(), found.with_failures.begin(), found.with_failures.end());
  auto const shards = not_in_a_queue(folder, wanted, on.system);
  if (!system) return run_and_answer(folder, shards, arguments);
  if (shards.empty()) {
    std::cout << (wanted.empty() ? "Nothing is missing: gridcast compare gather "
                                 : "All that is missing is in the queue: gridcast compare status ")
              << folder.typed() << '\n';
    return exit_code::done;
  }
  auto const ids = study::submit(*system, folder, shards, lines_for(name, folder, on));
  say_what_next(folder, name, ids, shards.size());
  return exit_code::done;
}

int gather_study(study::StudyFolder& folder, StudyArguments const& arguments) {
  auto const frozen = study::open_frozen(folder.study());
  StudyArguments own = arguments;
  auto const& question = folder.study().question;
  own.horizon = fmt::format("{} s", question.horizon.value());
  own.network = network_name(question.network);
  own.seed = question.seed;
  own.replicas = question.replicas;
  if (question.kind == study::StudyKind::search) return gather_search(folder, frozen, own);
  auto const found = folder.read(frozen);
  int const code = question.kind == study::StudyKind::comparison
                       ? gather_comparison(folder, frozen, found, own)
                       : gather_prediction(folder, frozen, found, own);
  // The answer comes first, even if the folder cannot be written.
  write_file(folder.path() / "attempts.csv", attempts_table(folder, found.results));
  return code;
}

}  // namespace gridcast::cli
