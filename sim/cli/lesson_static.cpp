#include "sim/cli/lesson_static.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sim/cli/command_line.hpp"
#include "sim/cli/lesson_json.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/report/data/sealed_answers.hpp"
#include "sim/report/page/document.hpp"
#include "sim/study/lesson_study.hpp"

namespace gridcast::cli {
namespace {

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
      bool const known = std::any_of(runs.begin(), runs.end(),
                                     [&](auto const& each) { return same_run(each, run); });
      if (!known) changed.push_back({"", run.strategy, run.overrides});
    }
  }
  std::sort(changed.begin(), changed.end(), [](auto const& a, auto const& b) {
    return std::pair(a.strategy, a.overrides) < std::pair(b.strategy, b.overrides);
  });
  changed.erase(std::unique(changed.begin(), changed.end(), same_run), changed.end());
  runs.insert(runs.end(), changed.begin(), changed.end());
  return runs;
}

report::Json settings_json(scenario::SolutionRun const& run) {
  report::Json settings = report::Json::array();
  for (std::string const& set : run.overrides) {
    auto const equals = set.find('=');
    settings.push_back({{"path", set.substr(0, equals)}, {"value", set.substr(equals + 1)}});
  }
  return settings;
}

/// The part of a result that the page shows; the rest names files, and takes room.
report::Json shown_part(report::Json const& result) {
  constexpr char const* shown[] = {"schema",  "metrics", "sites",      "total_s",
                                   "epoch_s", "step_s",  "efficiency", "parts"};
  report::Json part = report::Json::object();
  for (char const* key : shown) {
    if (auto const found = result.find(key); found != result.end()) part[key] = *found;
  }
  return part;
}

report::Json runs_json(scenario::Lesson const& lesson) {
  unsigned const processes = std::max(1U, std::thread::hardware_concurrency());
  report::Json runs = report::Json::array();
  for (scenario::SolutionRun const& each : prepared_runs(lesson)) {
    auto const run = study::run_lesson(
        lesson, {each.overrides, each.strategy, hardware_file(), processes, false});
    report::Json json = lesson_run_json(lesson, run);
    json["result"] = shown_part(json["result"]);
    json["strategy"] = each.strategy;
    json["set"] = settings_json(each);
    runs.push_back(std::move(json));
  }
  return runs;
}

}  // namespace

int write_static_lessons(std::vector<scenario::Lesson> const& lessons,
                         std::filesystem::path const& folder, bool force) {
  auto const page = report::page_file("lessons.html");
  if (!page) {
    throw InputError(Problem{{},
                             "the page of the lessons is not beside this gridcast",
                             "it is page/lessons.html of the build, or share/gridcast/lessons.html "
                             "of an installation, and needs Node.js and npm to be made",
                             "apt-get install nodejs npm and build again."});
  }
  VerbFiles files(if_there(force));
  for (auto const& lesson : lessons) files.reads(lesson.file);
  files.writes(folder, {page_name});
  files.prepare();
  report::Json json = lessons_json(lessons);
  json["version"] = version_text();
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    tell(fmt::format("Lesson {}: {}\n", lessons[i].number, lessons[i].title));
    report::Json& own = json["lessons"][i];
    own.erase("goal");  // it would answer the question
    own["runs"] = runs_json(lessons[i]);
    own["answers"] = report::sealed_answers(lessons[i]);
  }
  write_output(folder, {{page_name, report::page_with_data(*page, json)}});
  std::cout << (folder / page_name).string() << "\n";
  return exit_code::done;
}

}  // namespace gridcast::cli
