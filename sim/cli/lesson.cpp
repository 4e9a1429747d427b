// gridcast lesson list|start|run|check|solution: lessons for a class, whose answers can be checked.
#include "sim/scenario/lesson.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/json_tables.hpp"
#include "sim/report/text/lesson_text.hpp"
#include "sim/report/text/story.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/lesson_study.hpp"
#include "sim/study/shards/study_folder.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::cli {
namespace {

/// The lessons of a folder; without one, those that come with the program.
std::vector<scenario::Lesson> lessons_in(fs::path const& folder) {
  return scenario::read_lessons(folder.empty() ? shipped_scenario().parent_path() / "teaching"
                                               : folder);
}

/// The strategies of a lesson, the baseline first: a run without --strategy is of the baseline.
std::vector<std::string> strategies_of(scenario::Lesson const& lesson) {
  if (lesson.is_profile) return {};
  auto const scenario = scenario::read_scenario(lesson.file);
  auto names = scenario::names_of(scenario.strategies);
  std::stable_partition(names.begin(), names.end(),
                        [&](auto const& name) { return name == scenario.baseline; });
  return names;
}

/// gridcast.lessons/1, without the answers.
Json lessons_json(std::vector<scenario::Lesson> const& lessons) {
  Json list = Json::array();
  for (scenario::Lesson const& lesson : lessons) {
    Json choices = Json::array();
    for (scenario::LessonChoice const& each : lesson.choices) {
      choices.push_back({{"name", each.name}, {"text", each.text}});
    }
    Json knobs = Json::array();
    for (scenario::LessonKnob const& knob : scenario::knobs_of(lesson)) {
      knobs.push_back({{"path", knob.path},
                       {"words", knob.words},
                       {"premise", scenario::premise_of(lesson, knob.path)}});
    }
    list.push_back({{"lesson", lesson.number},
                    {"title", lesson.title},
                    {"goal", lesson.goal},
                    {"question", lesson.question},
                    {"choices", std::move(choices)},
                    {"look_at", lesson.look_at},
                    {"change", lesson.change},
                    {"knobs", std::move(knobs)},
                    {"strategies", strategies_of(lesson)}});
  }
  return {{"schema", "gridcast.lessons/1"}, {"lessons", std::move(list)}};
}

/// gridcast.lesson_run/1.
Json lesson_run_json(scenario::Lesson const& lesson, study::LessonRun const& run) {
  Json json = {{"schema", "gridcast.lesson_run/1"},
               {"lesson", lesson.number},
               {"figure", lesson.solution.figure},
               {"words", report::figure_words(lesson.solution.figure)},
               {"unit", report::figure_unit(lesson.solution.figure)},
               {"value", json_number(run.figure)}};
  if (run.simulated) {
    json["result"] =
        report::result_json(report::result_of(ledger::account(run.simulated->history)));
  }
  if (run.prediction) json["result"] = report::result_json(report::result_of(*run.prediction));
  if (run.training) {
    json["result"] =
        report::training_json(*run.training, training::estimate_training(*run.training));
  }
  return json;
}

struct LessonOptions {
  fs::path folder;  // of the lessons; empty: those that come with the program
  int number = 0;
  std::string answer;
  std::string guess;  // made before a run
  std::string strategy;
  std::vector<std::string> overrides;
  std::string student;  // whose seed it is; empty: the lesson's own
  fs::path pages;       // folder of the static page
  bool json = false, force = false;
  ReportArguments report = {};
};

/// The lesson of that number. InputError with the existing numbers if there is none.
scenario::Lesson find_lesson(LessonOptions const& options) {
  auto const lessons = lessons_in(options.folder);
  for (scenario::Lesson const& lesson : lessons) {
    if (lesson.number == options.number) return lesson;
  }
  refuse({}, fmt::format("there is no lesson {}", options.number), "",
         fmt::format("There are {} to {}; gridcast lesson list shows them.", lessons.front().number,
                     lessons.back().number));
}

/// The override that gives a student other random numbers than the others: a seed made from the
/// lesson's number and the name. Empty without a name, and for a training, which is deterministic.
std::vector<std::string> seed_of(scenario::Lesson const& lesson, std::string const& student) {
  if (student.empty() || lesson.is_profile) return {};
  std::string const digest = sha256(fmt::format("{} {}", lesson.number, student));
  return {fmt::format("study.seed={}", std::stoul(digest.substr(0, 8), nullptr, 16))};
}

std::vector<std::string> overrides_of(scenario::Lesson const& lesson,
                                      LessonOptions const& options) {
  auto overrides = seed_of(lesson, options.student);
  overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
  return overrides;
}

/// The command of the run, without the name of the lesson's file, which contains the answer.
std::string command_of(scenario::Lesson const& lesson, study::LessonRun const& run,
                       LessonOptions const& options) {
  return report::lesson_command(lesson, {"", run.strategy, overrides_of(lesson, options)});
}

std::string run_text(scenario::Lesson const& lesson, study::LessonRun const& run,
                     std::string const& command) {
  std::string const title =
      fmt::format("Lesson {}: {}\n{}\n", lesson.number, lesson.title, command);
  if (run.simulated) {
    auto const path = study::critical_path(run.scenario->campaign, run.simulated->history);
    return report::story(title, run.simulated->history, screen()) +
           report::critical_path_text(path, "of this run", screen());
  }
  if (run.prediction) {
    auto result = report::result_of(*run.prediction);
    result.scenario = command;
    return report::prediction_text(result, screen());
  }
  auto const estimate = training::estimate_training(*run.training);
  report::Screen shown = screen();
  shown.command = {};  // a run of a lesson prints all its figures
  return title + "\n" + report::brief_training(*run.training, estimate, {}, shown) + "\n" +
         report::json_tables(report::training_json(*run.training, estimate), shown);
}

/// The guess before the run, and its mistake if it is one of the listed wrong answers.
std::string guess_text(scenario::Lesson const& lesson, std::string const& guess) {
  if (guess.empty()) return "";
  std::string const words = scenario::words_on_guess(lesson, guess);
  return report::paragraph_text(fmt::format("You guessed {}. {}", guess,
                                            words.empty() ? "Compare it with the figure." : words),
                                screen());
}

void add_guess(Json& json, scenario::Lesson const& lesson, std::string const& guess) {
  if (guess.empty()) return;
  json["guess"] = {{"answer", guess}, {"says", scenario::words_on_guess(lesson, guess)}};
}

/// The plausible wrong answer, for those who know the right one.
void add_first_guess(Json& json, scenario::Lesson const& lesson) {
  if (lesson.first_guess.answer.empty()) return;
  json["first_guess"] = {{"answer", lesson.first_guess.answer},
                         {"says", scenario::words_on_first_guess(lesson)}};
}

Json solution_json(scenario::Lesson const& lesson, study::SolvedLesson const& solved) {
  Json runs = Json::array();
  for (study::SolvedRun const& each : solved.runs) {
    Json run = {{"command", report::lesson_command(lesson, each.run)},
                {"value", json_number(each.figure)}};
    if (!each.run.answer.empty()) run["answer"] = each.run.answer;
    runs.push_back(std::move(run));
  }
  Json wrong = Json::array();
  for (scenario::WrongAnswer const& each : lesson.wrong) wrong.push_back(each.answer);
  Json json = {{"schema", "gridcast.lesson_solution/1"},
               {"lesson", lesson.number},
               {"figure", lesson.solution.figure},
               {"unit", report::figure_unit(lesson.solution.figure)},
               {"runs", std::move(runs)},
               {"answer", solved.answer},
               {"expected", lesson.answer},
               {"tolerance", lesson.tolerance},
               {"wrong_answers", std::move(wrong)},
               {"why", lesson.why}};
  add_first_guess(json, lesson);
  return json;
}

/// Writes the page of a lesson's campaign with its events, to step through. Does nothing without
/// --report. It shows the typical one of several replicas.
void write_lesson_report(ReportArguments const& arguments, scenario::Lesson const& lesson,
                         study::LessonRun const& run) {
  if (arguments.file.empty()) return;
  StudyArguments of_page;
  of_page.report = arguments;
  of_page.report.kind = "lesson";
  scenario::Scenario scenario = *run.scenario;
  scenario.title = fmt::format("Lesson {}: {}", lesson.number, lesson.title);
  scenario.question = lesson.question;
  scenario::Strategy const& strategy = scenario.strategy(run.strategy);
  if (run.simulated) {
    write_run_report(of_page.report, {scenario, strategy, scenario.study.seed, 0}, *run.simulated);
    return;
  }
  study::Prediction prediction = *run.prediction;
  prediction.title = scenario.title;
  prediction.question = scenario.question;
  write_study_report(of_page, scenario, report::result_of(prediction), strategy);
}

constexpr char page_name[] = "index.html";

bool same_run(scenario::SolutionRun const& a, scenario::SolutionRun const& b) {
  return a.strategy == b.strategy && a.overrides == b.overrides;
}

/// The lesson as it is under each strategy, then its tries and the runs of its solution, each once,
/// in an order that does not show which of them gives the answer.
std::vector<scenario::SolutionRun> prepared_runs(scenario::Lesson const& lesson) {
  auto strategies = strategies_of(lesson);
  if (strategies.empty()) strategies.emplace_back();
  std::vector<scenario::SolutionRun> runs, changed;
  for (auto const& strategy : strategies) runs.push_back({"", strategy, {}});
  for (auto const* more : {&lesson.tries, &lesson.solution.runs}) {
    for (scenario::SolutionRun run : *more) {
      if (run.strategy.empty()) run.strategy = strategies.front();
      bool const known =
          std::ranges::any_of(runs, [&](auto const& each) { return same_run(each, run); });
      if (!known) changed.push_back({"", run.strategy, run.overrides});
    }
  }
  std::ranges::sort(changed, {},
                    [](auto const& run) { return std::pair(run.strategy, run.overrides); });
  changed.erase(std::unique(changed.begin(), changed.end(), same_run), changed.end());
  runs.insert(runs.end(), changed.begin(), changed.end());
  return runs;
}

Json settings_json(scenario::SolutionRun const& run) {
  Json settings = Json::array();
  for (std::string const& set : run.overrides) {
    auto const equals = set.find('=');
    settings.push_back({{"path", set.substr(0, equals)}, {"value", set.substr(equals + 1)}});
  }
  return settings;
}

/// The part of a result that the page shows; the rest names files, and takes room.
Json shown_part(Json const& result) {
  constexpr char const* shown[] = {"schema",  "metrics", "sites",      "total_s",
                                   "epoch_s", "step_s",  "efficiency", "parts"};
  Json part = Json::object();
  for (char const* key : shown) {
    if (auto const found = result.find(key); found != result.end()) part[key] = *found;
  }
  return part;
}

Json runs_json(scenario::Lesson const& lesson) {
  Json runs = Json::array();
  for (scenario::SolutionRun const& each : prepared_runs(lesson)) {
    auto const run =
        study::run_lesson(lesson, {each.overrides, each.strategy, shipped_hardware(), cores()});
    Json json = lesson_run_json(lesson, run);
    json["result"] = shown_part(json["result"]);
    json["strategy"] = each.strategy;
    json["set"] = settings_json(each);
    runs.push_back(std::move(json));
  }
  return runs;
}

/// Writes DIR/index.html: the lessons as one page with the results of prepared runs. A web server
/// that knows only files serves it to any number of students, and it opens from a disk.
///
/// Prepared runs suit a class better than one server for all: a lesson's point needs a handful of
/// runs, thirty students need no processor, port or account of the lecturer, and nothing can fail
/// in class. Values of a student's own need the program. InputError without the page's template.
void write_pages(LessonOptions const& options) {
  auto const lessons = lessons_in(options.folder);
  fs::path const& folder = options.pages;
  auto const page = needed_page("lessons.html", "gridcast lesson static needs its page");
  VerbFiles files(if_there(options.force));
  for (auto const& lesson : lessons) files.reads(lesson.file);
  files.writes(folder, {page_name}).prepare();
  Json json = lessons_json(lessons);
  json["version"] = version_text();
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    print_notes(fmt::format("Lesson {}: {}\n", lessons[i].number, lessons[i].title));
    Json& own = json["lessons"][i];
    own.erase("goal");  // it would answer the question
    own["runs"] = runs_json(lessons[i]);
    own["answers"] = report::sealed_answers(lessons[i]);
  }
  write_output(folder, {{page_name, report::page_with_data(page, json)}});
  std::cout << (folder / page_name).string() << "\n";
}

/// "Next: gridcast lesson start 1", with the folder of the user's own lessons.
std::string next_lesson_line(LessonOptions const& options, std::string const& verb, int number) {
  std::string const words = fmt::format("lesson {} {}", verb, number);
  return options.folder.empty() ? next_line("lesson " + verb, std::to_string(number))
                                : next_line(words + " --folder", options.folder);
}

void list_lessons(LessonOptions const& options) {
  auto const lessons = lessons_in(options.folder);
  std::cout << (options.json ? json_text(lessons_json(lessons))
                             : report::lesson_list_text(lessons, screen()) +
                                   next_lesson_line(options, "start", lessons.front().number));
}

void start_lesson(LessonOptions const& options) {
  scenario::Lesson const lesson = find_lesson(options);
  std::cout << report::lesson_task_text(lesson, strategies_of(lesson), screen())
            << next_lesson_line(options, "run", lesson.number);
}

void run_lesson_verb(LessonOptions const& options) {
  scenario::Lesson const lesson = find_lesson(options);
  if (lesson.is_profile && !options.report.file.empty()) {
    refuse({"--report"}, fmt::format("lesson {} has no page", lesson.number),
           "it is about one training, and a page shows a campaign", "Leave --report out.");
  }
  VerbFiles files(if_there(options.force));
  files.reads(lesson.file);
  prepare_report(options.report, files);
  std::string const on_guess = guess_text(lesson, options.guess);
  files.prepare();
  study::LessonRun const run = study::run_lesson(
      lesson, {overrides_of(lesson, options), options.strategy, shipped_hardware(), cores()});
  if (options.json) {
    Json json = lesson_run_json(lesson, run);
    add_guess(json, lesson, options.guess);
    print_results(json_text(json));
  } else {
    print_results(run_text(lesson, run, command_of(lesson, run, options)) +
                  fmt::format("\n{}: {}\n", report::figure_words(lesson.solution.figure),
                              report::figure_text(lesson.solution.figure, run.figure)) +
                  on_guess);
  }
  write_lesson_report(options.report, lesson, run);
}

/// Compares with the lesson's answer, or with the answer of the solution under the student's seed.
bool is_right_for(scenario::Lesson const& lesson, std::string const& answer,
                  std::string const& student) {
  if (scenario::is_right(lesson, answer)) return true;
  if (student.empty() || lesson.is_profile) return false;
  auto const solved =
      study::solve_lesson(lesson, shipped_hardware(), cores(), seed_of(lesson, student));
  scenario::Lesson own = lesson;
  if (!solved.answer.empty()) own.answer = solved.answer;
  return scenario::is_right(own, answer);
}

int check_lesson(LessonOptions const& options) {
  if (options.answer.empty()) {
    refuse({}, "there is nothing to check", "", "Write gridcast lesson check N ANSWER.");
  }
  scenario::Lesson const lesson = find_lesson(options);
  bool const right = is_right_for(lesson, options.answer, options.student);
  std::string const words = right ? lesson.why : scenario::hint_for(lesson, options.answer);
  if (options.json) {
    Json json = {{"schema", "gridcast.lesson_check/1"},
                 {"lesson", lesson.number},
                 {"answer", options.answer},
                 {"right", right}};
    json[right ? "why" : "hint"] = words;
    if (right) add_first_guess(json, lesson);
    std::cout << json_text(json);
  } else {
    std::string const guess = right ? scenario::words_on_first_guess(lesson) : "";
    std::cout << report::paragraph_text((right ? "Right. " : "Not right. ") + words, screen());
    if (!guess.empty()) std::cout << report::paragraph_text(guess, screen());
  }
  return right ? exit_code::done : exit_code::wrong_answer;
}

void show_solution(LessonOptions const& options) {
  scenario::Lesson const lesson = find_lesson(options);
  auto const seed = seed_of(lesson, options.student);
  study::SolvedLesson solved = study::solve_lesson(lesson, shipped_hardware(), cores(), seed);
  // The shown commands then give the figures beside them.
  for (study::SolvedRun& each : solved.runs) {
    each.run.overrides.insert(each.run.overrides.begin(), seed.begin(), seed.end());
  }
  if (options.json) {
    std::cout << json_text(solution_json(lesson, solved));
    return;
  }
  std::cout << report::lesson_solution_text(lesson, solved, screen());
}

/// One of the verbs below `lesson`.
Verb add_action(Verb& group, std::shared_ptr<LessonOptions> const& options, char const* name,
                char const* help, auto action, char const* examples) {
  Verb verb = group.verb(name, help);
  verb.option("--folder", &options->folder, "Lessons of your own: a folder of YAML files", "DIR");
  verb.footer(examples);
  verb.runs([=] { return action(*options); });
  return verb;
}

/// The mistake in the number of a lesson, with the command for a lesson's file.
std::string wrong_number(std::string const& verb, std::string const& text) {
  constexpr int most_number = 1000000;
  auto const number = text_as<int>(text);
  if (number && *number >= 0 && *number <= most_number) return "";
  try {
    fs::path const file = text;
    int const its_own = scenario::read_lesson(file).number;
    std::error_code ignored;
    bool const shipped = fs::equivalent(
        file, shipped_scenario().parent_path() / "teaching" / file.filename(), ignored);
    std::string const folder = file.has_parent_path() ? study::typed(file.parent_path()) : ".";
    return fmt::format("'{}' is the file of lesson {}: gridcast lesson {} {}{}", text, its_own,
                       verb, its_own, shipped ? "" : " --folder " + folder);
  } catch (InputError const&) {
    return fmt::format("'{}' is no number of a lesson. gridcast lesson list shows them", text);
  }
}

Option add_number(Verb& verb, LessonOptions& options, std::string const& name) {
  return verb.positional("N", &options.number, "Number of the lesson")
      .check([name](std::string const& text) { return wrong_number(name, text); });
}

void add_student(Verb& verb, LessonOptions& options) {
  verb.option("--seed-by-name", &options.student,
              "Other random numbers for each student: a seed made from this name", "NAME");
}

void add_run_action(Verb& group, std::shared_ptr<LessonOptions> const& options) {
  Verb run =
      add_action(group, options, "run", "Try it", run_lesson_verb,
                 "  gridcast lesson run 1 --guess '3 h' --set 'campaign.request.gpu_memory=8 GB'\n"
                 "  gridcast lesson run 1 --report lesson-1.html");
  add_number(run, *options, "run").required();
  run.option("--guess", &options->guess,
             "Your guess of the answer: repeated after the run, with its mistake", "ANSWER");
  add_student(run, *options);
  add_set_option(run, options->overrides);
  add_strategy_option(run, options->strategy);
  add_report_option(run, options->report);
  run.flag("--force", options->force, "Replace a page that is already there");
  add_json_option(run, options->json);
}

void add_check_action(Verb& group, std::shared_ptr<LessonOptions> const& options) {
  Verb check = add_action(group, options, "check", "Check an answer", check_lesson,
                          "  gridcast lesson check 1 '5 h'\n"
                          "  gridcast lesson check 1 18000s --json\n"
                          "Exit status: 0 right, 4 wrong (with a hint), 2 no answer at all.");
  add_number(check, *options, "check");
  check.positional("ANSWER", &options->answer, "A number with its unit, or a choice");
  add_student(check, *options);
  add_json_option(check, options->json);
}

}  // namespace

void add_lesson(Verb& program) {
  Verb group = program.verb("lesson", "Learn grid scheduling: tasks, and their answers");
  group.needs_verb();
  auto const options = std::make_shared<LessonOptions>();
  Verb list = add_action(group, options, "list", "List the lessons", list_lessons,
                         "  gridcast lesson list\n"
                         "  gridcast lesson list --json");
  add_json_option(list, options->json);

  Verb start = add_action(group, options, "start", "The task of a lesson", start_lesson,
                          "  gridcast lesson start 1\n"
                          "  gridcast lesson start 1 --folder my-lessons");
  add_number(start, *options, "start").required();

  add_run_action(group, options);
  add_check_action(group, options);

  Verb solution =
      add_action(group, options, "solution", "The answer, how to find it, and why", show_solution,
                 "  gridcast lesson solution 1\n"
                 "  gridcast lesson solution 1 --json");
  add_number(solution, *options, "solution").required();
  add_student(solution, *options);
  add_json_option(solution, options->json);

  Verb pages =
      add_action(group, options, "static", "The lessons as one page for a class", write_pages,
                 "DIR/index.html needs no server of its own: any web server, or a disk, "
                 "serves it.\n"
                 "  gridcast lesson static class-page\n"
                 "  gridcast lesson static class-page --force");
  pages.positional("DIR", &options->pages, "Folder of the page").required();
  pages.flag("--force", options->force, "Replace a page that is already there");
  group.footer(
      "  gridcast lesson start 1\n"
      "  gridcast lesson run 1 --set 'campaign.request.gpu_memory=8 GB'\n"
      "  gridcast lesson check 1 '5 h'\n"
      "docs/teaching.md is for teachers.");
}

}  // namespace gridcast::cli
