// gridcast study status|gather|resume|cancel DIR: of a study that `--on` of compare, predict, validate or
// calibrate has handed to a batch system; and what the batch system then runs, gridcast study shard.
#include <iostream>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/cli/study_answers.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/cli/study_status.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/study/shards/batch_system.hpp"
#include "sim/study/shards/shard.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

struct StudyVerbOptions {
  fs::path folder;
  StudyArguments answer;
  OnArguments on = {};
};

int show_status(fs::path const& path, bool as_json) {
  study::StudyFolder const folder(path);
  auto const status = status_of(folder);
  std::cout << (as_json ? status_json(folder, status) : status_text(folder, status));
  return exit_code::done;
}

int gather(StudyVerbOptions const& options) {
  study::StudyFolder folder(options.folder);
  return gather_study(folder, options.answer);
}

int resume(StudyVerbOptions const& options) {
  study::StudyFolder folder(options.folder);
  return resume_study(folder, options.on, options.answer);
}

int cancel(fs::path const& path) {
  study::StudyFolder const folder(path);
  study::FolderLock const lock(path);
  auto const systems = study::systems_used(folder);
  for (auto const system : systems) study::cancel(system, folder);
  auto const found = folder.find(study::Reading::head);
  std::cout << fmt::format(
      "{} Results of {} of {} shards stay in {}; gridcast study gather and "
      "resume go on from them.\n",
      systems.empty() ? "No batch system has shards of it."
                      : "Its shards are taken out of the queue.",
      found.results.size(), found.all.size(), path.string());
  return exit_code::done;
}

struct ShardOptions {
  fs::path frozen, out;
  std::string shard;
};

/// Of this study: its replicas, and a strategy that it has.
study::Shard shard_of(study::FrozenStudy const& study, std::string const& text) {
  auto const shard = study::shard_named(text);
  bool const is_smaller = shard && shard->smaller;
  // Of later rounds it is known when those before them are read.
  bool const is_later = shard && shard->round > 0;
  if (is_later && study.question.kind == study::StudyKind::calibration) return *shard;
  if (shard && !is_later && shard->to <= study.question.replicas &&
      (!is_smaller || (study.question.kind == study::StudyKind::comparison &&
                       shard->smaller->strategy < study.strategies))) {
    return *shard;
  }
  throw InputError(
      Problem{{},
              fmt::format("'{}' is no shard of this study", text),
              fmt::format("it has {} replicas", study.question.replicas),
              "A shard is called '0-500', '0-500.strategy-3.jobs-10' or '0-500.round-2'."});
}

int play_shard(ShardOptions const& options) {
  auto const study = study::read_frozen(options.frozen);
  auto const shard = shard_of(study, options.shard);
  auto const frozen = study::open_frozen(study);
  study::check_arithmetic(study);
  prepare_folder(options.out);
  auto const play = shard_player(study, frozen);
  auto const result = play(shard, frozen.options);
  if (!result) return exit_code::interrupted;
  study::write_result(options.out, study.fingerprint, *result);
  std::cout << fmt::format("{} on {}: {} simulated campaigns, {} failed, {}\n", options.shard,
                           result->record.host, result->records.size(), result->failed.size(),
                           to_text(result->record.took));
  return exit_code::done;
}

void add_folder(Verb& verb, fs::path& folder) {
  verb.positional("DIR", &folder, "The study's folder").required();
}

/// What is done with an answer.
void add_answer_options(Verb& verb, StudyArguments& answer) {
  verb.flag("--json", answer.json, "One JSON object on standard output, nothing else");
  verb.option("--csv", &answer.csv, "Folder for tables of the results, in full", "DIR");
  add_report_option(verb, answer.report);
  add_deadline_option(verb, answer.report);
  verb.flag("--force", answer.force, "Replace results that are already there");
  add_colour_option(verb, answer.colour);
}

void add_gather(Verb& verbs) {
  auto options = std::make_shared<StudyVerbOptions>();
  Verb verb = verbs.verb("gather", "The answer of what is there so far, marked as partial");
  add_folder(verb, options->folder);
  add_answer_options(verb, options->answer);
  verb.footer(
      "Examples:\n"
      "  gridcast study gather osg-imagenet.study\n"
      "  gridcast study gather osg-imagenet.study --json");
  verb.runs([options] { return gather(*options); });
}

void add_resume(Verb& verbs) {
  auto options = std::make_shared<StudyVerbOptions>();
  Verb verb = verbs.verb("resume", "Hand over, or play, only what is missing");
  add_folder(verb, options->folder);
  add_system_options(verb, options->on);
  add_jobs_option(verb, options->answer);
  add_answer_options(verb, options->answer);
  add_progress_options(verb, options->answer.verbose, options->answer.quiet);
  verb.footer(
      "Examples:\n"
      "  gridcast study resume osg-imagenet.study\n"
      "  gridcast study resume osg-imagenet.study --on local -j 2");
  verb.runs([options] { return resume(*options); });
}

void add_shard(Verb& verbs) {
  auto options = std::make_shared<ShardOptions>();
  Verb verb = verbs.verb("shard", "What a batch system runs: one shard of a frozen study");
  verb.positional("FROZEN", &options->frozen, "The folder 'frozen' of a study").required();
  verb.positional("SHARD", &options->shard, "Which: '0-500'").required();
  verb.option("--out", &options->out, "Folder for the result", "DIR").required();
  verb.footer(
      "Examples:\n"
      "  gridcast study shard frozen 0-500 --out .\n"
      "  gridcast study shard frozen 500-1000 --out results");
  verb.runs([options] { return play_shard(*options); });
}

}  // namespace

void add_study(Verb& program) {
  Verb verbs = program.verb("study", "Studies that a batch system plays: status, answer, resume");
  verbs.needs_verb();
  auto folder = std::make_shared<fs::path>();
  auto as_json = std::make_shared<StudyArguments>();
  Verb status = verbs.verb("status", "How far it is, what failed and why, and the time left");
  add_folder(status, *folder);
  status.flag("--json", as_json->json, "One JSON object on standard output, nothing else");
  status.footer(
      "Examples:\n"
      "  gridcast study status osg-imagenet.study\n"
      "  gridcast study status osg-imagenet.study --json");
  status.runs([folder, as_json] { return show_status(*folder, as_json->json); });
  add_gather(verbs);
  add_resume(verbs);
  auto cancelled = std::make_shared<fs::path>();
  Verb cancelling = verbs.verb("cancel", "Take its shards out of the queue; results stay");
  add_folder(cancelling, *cancelled);
  cancelling.footer(
      "Examples:\n"
      "  gridcast study cancel osg-imagenet.study\n"
      "  gridcast study cancel osg-imagenet.study && gridcast study gather osg-imagenet.study");
  cancelling.runs([cancelled] { return cancel(*cancelled); });
  add_shard(verbs);
  // Behind the verbs, which would inherit it.
  verbs.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100000 --on htcondor\n"
      "  gridcast study status osg-imagenet.study\n"
      "  gridcast study gather osg-imagenet.study --json");
}

}  // namespace gridcast::cli
