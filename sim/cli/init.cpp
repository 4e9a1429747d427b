// gridcast init [FROM]: a first scenario from a few answers, given as options or asked for, also
// from a log, with a calibration of its own; or from a file of another program.
#include <algorithm>
#include <iostream>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/init_from.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/first_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

constexpr char no_input[] = "none";
constexpr char of_pool[] = "pool";

/// The answers so far, as they were given.
struct InitAnswers {
  std::string log, calibration, jobs, gpus, input, limit, work;

  import::CalibratedProgram program;  // from the calibration
  scenario::Campaign recorded;        // in the log; without a log it has no jobs

  /// Its jobs, GPUs, input, places and work are those of the log.
  bool repeat_log() const {
    return recorded.jobs() > 0 && jobs == recorded_jobs() && gpus == recorded_gpus() &&
           input == recorded_input() && limit == of_pool && work == "1";
  }
  std::string recorded_jobs() const { return std::to_string(recorded.jobs()); }
  std::string recorded_gpus() const { return std::to_string(recorded.request.gpus); }
  std::string recorded_input() const {
    constexpr Bytes least(1000);  // fewer are no input, or of unknown size
    return recorded.input_size() < least ? no_input : to_text(recorded.input_size());
  }
};

struct InitQuestion {
  std::string option;  // "--jobs"
  std::string InitAnswers::*answer;
  std::string help;  // of the option
  std::string fallback;
  /// The answer that is proposed: that of the calibrated jobs, else `fallback`.
  std::string proposed(InitAnswers const& answers) const {
    if (answers.recorded.jobs() > 0) {
      if (answer == &InitAnswers::jobs) return answers.recorded_jobs();
      if (answer == &InitAnswers::gpus) return answers.recorded_gpus();
      if (answer == &InitAnswers::input) return answers.recorded_input();
    }
    auto const epochs = answers.program.epochs;
    bool const known = answer == &InitAnswers::work && !answers.program.from_event_log;
    return known && epochs > 0 ? std::to_string(epochs) : fallback;
  }
  /// In words for the terminal; may depend on earlier answers.
  std::function<std::string(InitAnswers const&)> words;
  /// The error in an answer, and a correct one; empty if it is good. May add facts to the answers.
  std::function<std::string(std::string const&, InitAnswers&)> check;
  std::string value = "N";  // of the option, in its help
  enum class Need { must_be_given, has_usual } need = Need::must_be_given;
};

bool starts_from_log(InitAnswers const& answers) { return !answers.log.empty(); }

constexpr int most_jobs = 1'000'000;
constexpr int most_epochs = 1'000'000;
constexpr int most_gpus_a_job = 1024;

std::string whole(std::string const& text, int most) {
  auto const number = text_as<int>(text);
  if (number && *number >= 1 && *number <= most) return "";
  return fmt::format("'{}' is not a whole number from 1 to {}", text, most);
}

/// The answers in the log. InputError for a file that is no log.
void read_log(InitAnswers& answers, condor::ReadLogOptions const& dates) {
  auto const files = import::sort_by_kind({answers.log});
  if (files.logs.empty()) {
    refuse(
        {answers.log}, "is no job event log", "a scenario repeats the jobs of a log",
        "Name the log. gridcast forecast " + study::typed(answers.log) + " takes other records.");
  }
  auto const record = import::open_campaign(files, dates);
  answers.recorded =
      repeated_campaign("", record.history, import::usual_input(record, record.history)).campaign;
  // The name in the later calibration, which is made after all answers.
  answers.program.profile = "jobs of the log";
  answers.program.from_event_log = true;
}

std::string check_calibration(std::string const& text, InitAnswers& answers) {
  if (starts_from_log(answers)) return "";
  try {
    answers.program = import::read_calibrated_program(text);
  } catch (InputError const& error) {
    return error.problems().front().to_text();
  }
  auto const& pool = answers.program.pool;
  if (pool.empty()) return fmt::format("{} names no pool to run on", text);
  if (is_ordinary_file(pool)) return "";
  return fmt::format("{}: its pool {} is not there", text, pool.string());
}

std::string check_jobs(std::string const& text, InitAnswers&) { return whole(text, most_jobs); }

std::string check_gpus(std::string const& text, InitAnswers&) {
  return text == "0" ? "" : whole(text, most_gpus_a_job);
}

std::string check_input(std::string const& text, InitAnswers&) {
  auto const size = parse_bytes(text);
  if (text == no_input || (size && size->value() > 0)) return "";
  return fmt::format("'{}' is not a size: write 137 GB, 500 MB, 16 GiB or none", text);
}

/// "6 h" is the time for which a job computes.
std::string check_work(std::string const& text, InitAnswers& answers) {
  if (auto const time = parse_seconds(text)) return *time > Seconds() ? "" : "it has to be above 0";
  if (!answers.program.from_event_log) return whole(text, most_epochs);
  auto const number = text_as<double>(text);
  if (number && *number > 0 && *number < 1e6) return "";
  return fmt::format("'{}' is not a number above 0: write 1, 0.5 or 20", text);
}

std::string check_limit(std::string const& text, InitAnswers&) {
  auto const time = parse_seconds(text);
  if (text == of_pool || (time && *time > Seconds())) return "";
  return fmt::format("'{}' is not a time: write 20 h, 40 h or 3 d", text);
}

std::string limit_words(InitAnswers const& answers) {
  std::string const question = "After how long is an execution ended?";
  if (starts_from_log(answers) || answers.program.pool.empty()) return question;
  auto const pool = scenario::read_pool(answers.program.pool);
  return fmt::format("{} The pool's limit is {}.", question,
                     to_text(pool.access_point.max_execution));
}

std::string work_words(InitAnswers const& answers) {
  auto const& profile = answers.program.profile;
  if (answers.program.from_event_log) {
    return fmt::format(
        "How many hours does a job compute (6 h)? Or how much work is it, as a multiple of the "
        "calibrated '{}'?",
        profile);
  }
  return fmt::format(
      "How many hours does a job compute (6 h)? Or how many epochs does it train, of '{}'?",
      profile);
}

auto always(std::string words) {
  return [words = std::move(words)](InitAnswers const&) { return words; };
}

/// The questions in order; `calibration` is the shipped one's file.
std::vector<InitQuestion> init_questions(std::string const& calibration) {
  using enum InitQuestion::Need;
  return {
      {"--calibration", &InitAnswers::calibration,
       "How the grid behaves: a file by gridcast calibrate", calibration,
       always("On which grid? A file that gridcast calibrate has made of logs."), check_calibration,
       "CAL"},
      {"--jobs", &InitAnswers::jobs, "Number of jobs", "100", always("How many jobs?"), check_jobs},
      {"--gpus", &InitAnswers::gpus, "GPUs of each job (default: 1)", "1",
       always("How many GPUs for each job?"), check_gpus, "N", has_usual},
      {"--input", &InitAnswers::input, "Input of each job, as 137 GB", "137 GB",
       always("How much does each job fetch before it computes?"), check_input, "SIZE"},
      {"--limit", &InitAnswers::limit,
       "Longest execution (JobDurationCategory Medium: 20 h, Long: 40 h; default: the pool's)",
       of_pool, limit_words, check_limit, "TIME", has_usual},
      {"--work", &InitAnswers::work,
       "Hours that a job computes (6 h), or its epochs; with a calibration of dated logs, its work\n"
       "as a multiple",
       "1", work_words, check_work, "TIME|N"},
  };
}

/// A log brings its own calibration.
bool is_asked(InitQuestion const& question, InitAnswers const& answers) {
  return question.answer != &InitAnswers::calibration || !starts_from_log(answers);
}

struct InitOptions {
  fs::path out = "campaign.yaml";
  FromArguments from = {};  // with an `out` that was given
  InitAnswers given;        // by options; empty: not given
  bool yes = false, force = false;
};

/// Repeats the question until the answer is good. InputError at the end of input.
std::string ask(InitQuestion const& question, std::string const& number, InitAnswers& answers) {
  while (true) {
    print_message(
        fmt::format("{} {} [{}] ", number, question.words(answers), question.proposed(answers)));
    std::string answer;
    if (!std::getline(std::cin, answer)) {
      print_message("\n");
      refuse({}, "gridcast init: the answers ended", "nothing was written", "");
    }
    answer = trim(answer);
    if (answer.empty()) answer = question.proposed(answers);
    auto const wrong = question.check(answer, answers);
    if (wrong.empty()) return answer;
    print_notes(fmt::format("    {}\n", wrong));
  }
}

/// The answers that the log gives, if there is one.
InitAnswers from_log(InitOptions const& options) {
  InitAnswers answers;
  answers.log = options.given.log;
  if (starts_from_log(answers)) read_log(answers, options.from.record.dates);
  return answers;
}

/// InputError with all wrong options, and all missing ones without a terminal.
void check_options(InitOptions const& options, std::vector<InitQuestion> const& questions,
                   bool can_ask) {
  std::vector<std::string> missing;
  std::vector<Problem> problems;
  InitAnswers found = from_log(options);
  for (auto const& question : questions) {
    auto const& given = options.given.*question.answer;
    bool const needed =
        question.need == InitQuestion::Need::must_be_given && is_asked(question, found);
    if (given.empty() && needed && !can_ask && !options.yes) missing.push_back(question.option);
    auto const wrong = question.check(given.empty() ? question.proposed(found) : given, found);
    if (!given.empty() && !wrong.empty()) {
      add_problem(problems, {}, fmt::format("gridcast init: {}: {}", question.option, wrong));
    }
  }
  if (!missing.empty()) {
    add_problem(problems, {}, fmt::format("gridcast init: {} not given", fmt::join(missing, ", ")),
                "there is no terminal to ask at", "Give them, or --yes for the proposed values.");
  }
  if (!problems.empty()) throw InputError(problems);
}

InitAnswers answers_to(InitOptions const& options, std::vector<InitQuestion> const& questions) {
  bool const can_ask = isatty(STDIN_FILENO) == 1;
  check_options(options, questions, can_ask);
  InitAnswers answers = from_log(options);
  int number = 0;
  for (auto const& question : questions) {
    ++number;
    if (!is_asked(question, answers)) continue;
    auto& answer = answers.*question.answer;
    bool const as_usual =
        options.yes || (!can_ask && question.need == InitQuestion::Need::has_usual);
    std::string given = options.given.*question.answer;
    if (given.empty() && as_usual) given = question.proposed(answers);
    if (given.empty()) {
      given = ask(question, fmt::format("{}/{}", number, questions.size()), answers);
    } else if (auto const wrong = question.check(given, answers); !wrong.empty()) {
      refuse({}, fmt::format("gridcast init: {}: {}", question.option, wrong));
    }
    answer = given;
  }
  return answers;
}

/// Work that takes a job so long on the GPU, or on those of the pool.
void set_hours(report::FirstScenario& scenario, Seconds time, std::string const& gpu,
               InitAnswers const& answers, fs::path const& pool) {
  scenario::Campaign campaign;
  campaign.request.gpus = scenario.gpus;
  campaign.work.profile = scenario.profile;
  bool const from_log = scenario.from_event_log;
  if (!from_log && answers.program.epochs > 0) campaign.work.epochs = answers.program.epochs;
  auto const work = work_of_hours({time / hours(1), gpu}, campaign, answers.calibration, pool);
  scenario.work = from_log ? fmt::format("{}", work.scale) : std::to_string(campaign.work.epochs);
  if (!from_log) scenario.scale = work.scale;
  scenario.work_words = work.words;
}

/// `gpu`: on which a job computes for the stated hours; empty: on the pool's.
report::FirstScenario scenario_of(InitAnswers const& answers, std::string const& gpu,
                                  fs::path const& folder) {
  report::FirstScenario scenario;
  scenario.title = "My campaign";
  fs::path const schema =
      shipped_scenario().parent_path().parent_path() / "docs" / "scenario.schema.json";
  if (is_ordinary_file(schema)) scenario.schema = from_folder(schema, folder);
  scenario::Campaign campaign;
  campaign.request.gpus = std::stoi(answers.gpus);
  auto const [pool, reason] = pool_for(answers.program.pool, campaign, {}, gpu);
  if (!reason.empty()) {
    print_notes(fmt::format("The pool is {}, as {}.\n", pool.filename().string(), reason));
  }
  scenario.pool = from_folder(pool, folder);
  scenario.calibration = from_folder(answers.calibration, folder);
  scenario.profile = answers.program.profile;
  scenario.from_event_log = answers.program.from_event_log;
  scenario.jobs = std::stoi(answers.jobs);
  scenario.gpus = std::stoi(answers.gpus);
  if (answers.input != no_input) scenario.input = answers.input;
  if (answers.repeat_log() && answers.program.has_jobs) scenario.repeated = answers.recorded;
  if (answers.limit != of_pool) scenario.limit = parse_seconds(answers.limit);
  scenario.work = answers.work;
  if (auto const time = parse_seconds(answers.work)) set_hours(scenario, *time, gpu, answers, pool);
  return scenario;
}

/// As many as gridcast forecast LOG has, which then gives the same answer.
constexpr int usual_draws = 200;

/// Calibrates from the log, and writes the calibration beside the scenario.
void calibrate_from_log(InitAnswers& answers, InitOptions const& options) {
  CalibrateOptions calibrate;
  calibrate.files = {answers.log};
  calibrate.record.dates = options.from.record.dates;
  calibrate.draws = usual_draws;
  calibrate.out = fs::path(options.out).replace_extension(".calibration.yaml");
  VerbFiles files(if_there(options.force));
  files.reads(calibrate.files).writes(options.out).writes(calibrate.out);
  files.writes(pool_beside(calibrate.out)).writes(jobs_beside(calibrate.out)).prepare();
  auto const done =
      calibrate_logs(calibrate, read_record(calibrate, import::sort_by_kind(calibrate.files)));
  write_output(calibrate.out.parent_path(), done.files);
  answers.calibration = calibrate.out.string();
  answers.program = import::read_calibrated_program(answers.calibration);
  auto const sites = scenario::read_pool(answers.program.pool).sites;
  bool const has_gpus = std::ranges::any_of(sites, [](auto const& site) { return site.gpus > 0; });
  // The pool lists none, as the log shows none.
  if (!has_gpus) answers.recorded.request.gpus = 0;
  if (!has_gpus) answers.gpus = answers.recorded_gpus();
  print_notes(fmt::format("A calibration of {} is in {}.\n", answers.log, answers.calibration));
}

/// --job-hours as an answer. InputError beside another.
void answer_work(InitOptions& options) {
  double const hours = options.from.job.hours.hours;
  if (hours <= 0) return;
  if (!options.given.work.empty()) {
    refuse({}, "--work and --job-hours cannot be given together", "both state the work of a job",
           "Leave one out.");
  }
  options.given.work = fmt::format("{} h", hours);
}

void ask_and_write(InitOptions const& options) {
  VerbFiles(if_there(options.force)).writes(options.out).prepare();
  fs::path const shipped = shipped_scenario();
  auto const calibration = scenario::read_scenario(shipped).calibration.file;
  auto const questions = init_questions(fs::path(calibration).lexically_normal().string());
  InitAnswers answers = answers_to(options, questions);

  if (starts_from_log(answers)) calibrate_from_log(answers, options);
  fs::path const folder = options.out.parent_path();
  VerbFiles(IfThere::replace)
      .reads({answers.log, answers.calibration, answers.program.pool})
      .writes(options.out)
      .prepare();
  auto const scenario = scenario_of(answers, options.from.job.hours.gpu, folder);
  std::string const text =
      checked_text(options.out, report::first_scenario_text(scenario), options.from.overrides);
  if (options.out == "-") {
    print_results(text);
    return;
  }
  write_file(options.out, text);
  fmt::print("Written to {}\n{}{}", printable(options.out.string()),
             next_line("forecast", options.out), next_line("compare", options.out));
}

/// `kind`: of FROM; unknown if the user answers questions.
void refuse_options_without_use(Verb const& verb, InputKind kind) {
  // Options that have no use for questions, and for files of other programs.
  std::vector<Problem> problems;
  auto const only = [&](std::initializer_list<char const*> options, bool used) {
    if (!used) {
      refuse_given(verb, options, " has no use here", "it is for another kind of file", problems);
    }
  };
  bool const trace = kind == InputKind::swf || kind == InputKind::wfformat;
  bool const asks = kind == InputKind::unknown;
  only({"--jobs", "--gpus", "--input", "--limit", "--work"}, asks);
  only({"--pool", "--size", "--profile", "--program", "--epochs", "--work-scale", "--crash-odds"},
       describes_jobs(kind));
  only({"--job-hours", "--on-gpu"}, asks || describes_jobs(kind));
  only({"--record", "--max-jobs", "--columns", "--prefix"}, kind == InputKind::dag);
  only({"--year", "--tz"}, kind == InputKind::dag || asks);
  only({"--slots", "--verbose"}, trace);
  only({"--rate"}, kind == InputKind::wfformat);
  only({"--gpu"}, kind == InputKind::workload);
  only({"--calibration"}, asks || describes_jobs(kind));
  only({"--set"}, kind != InputKind::table);
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// The kind of FROM; unknown if the user answers questions. A log or a calibration answers one.
InputKind kind_of_from(InitOptions& options) {
  auto& from = options.from.from;
  if (from.empty()) return InputKind::unknown;
  auto const kind = kind_of(from);
  auto const answers = [&](std::string& answer) {
    answer = from.string();
    return InputKind::unknown;
  };
  if (kind == InputKind::record) return answers(options.given.log);
  if (kind == InputKind::calibration) return answers(options.given.calibration);
  bool const is_new = kind == InputKind::unknown && !is_there(from);
  bool const names_result = is_new || (kind == InputKind::scenario && options.force);
  if (names_result && options.from.out.empty() && from.extension() == ".yaml") {
    print_notes(fmt::format("gridcast: init {0} is now init -o {0}\n", study::typed(from)));
    options.from.out = from;
    return InputKind::unknown;
  }
  refuse_other_kinds({from}, "init", "a file of another program",
                     {InputKind::submit_file, InputKind::dag, InputKind::workload, InputKind::swf,
                      InputKind::wfformat, InputKind::table});
  if (kind == InputKind::unknown) read_text_file(from);  // the reason why it cannot be read
  if (kind != InputKind::unknown) return kind;
  refuse({from.string()}, "init does not know its kind",
         "it takes submit files, DAGs, logs, tables, traces (SWF, WfFormat) and "
         "workloads of DLIO",
         "Without a file, gridcast init asks.");
}

void run_init(Verb const& verb, InitOptions options) {
  auto const kind = kind_of_from(options);
  refuse_options_without_use(verb, kind);
  options.from.force = options.force;
  options.from.job.calibration = options.given.calibration;
  if (kind != InputKind::unknown) return init_from(kind, options.from);
  if (!options.from.out.empty()) options.out = options.from.out;
  answer_work(options);
  return ask_and_write(options);
}

}  // namespace

void add_init(Verb& program) {
  auto options = std::make_shared<InitOptions>();
  Verb verb = program.verb("init", "A first scenario: from questions, a submit file, a log, ...");
  verb.positional("FROM", &options->from.from,
                  "A submit file, a DAG, a log or a calibration; another program's table, trace\n"
                  "(SWF, WfFormat) or workload (DLIO). Without it, a few questions");
  verb.option("-o,--out", &options->from.out,
              "Output (default: campaign.yaml, or named after FROM)", "OUT");
  Verb questions = verb.group("Answers to the questions");
  for (auto const& question : init_questions("")) {
    auto& answer = options->given.*question.answer;
    questions.option(question.option, &answer, question.help, question.value);
  }
  questions.flag("--yes", options->yes, "No questions: missing values are as proposed");
  verb.flag("--force", options->force, "Replace existing files");
  add_set_option(verb, options->from.overrides,
                 "Another value in the result, such as campaign.work.epochs=10");
  add_from_options(verb, options->from);
  verb.footer(
      "  gridcast init -o my-campaign.yaml --yes --jobs 200 --input '50 GB'\n"
      "  gridcast init my-old-campaign.log --yes -o my-campaign.yaml\n"
      "  gridcast init job.sub --calibration my-pool.yaml -o my-campaign.yaml\n"
      "  gridcast init montage.json -o montage\n"
      "Asks at a terminal only; elsewhere --calibration, --jobs, --input and --work are needed,\n"
      "or --yes.");
  verb.runs([options, verb] { return run_init(verb, *options); });
}

}  // namespace gridcast::cli
