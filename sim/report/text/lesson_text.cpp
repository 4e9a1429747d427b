#include "sim/report/text/lesson_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

/// The words in lines that fit the screen and a page, each after `indent` blanks.
std::string wrapped(std::string const& words, std::size_t indent, Screen const& screen) {
  constexpr std::size_t page = 92;
  return std::string(indent, ' ') +
         paragraph(words, {std::min(screen.width, page), indent, indent});
}

std::string part(std::string const& title, std::string const& words, Screen const& screen) {
  return "\n" + title + "\n" + wrapped(std::string(trim(words)), 2, screen);
}

/// The settings in words, each with its option of `lesson run`.
std::string options_text(scenario::Lesson const& lesson, std::vector<std::string> const& strategies,
                         Screen const& screen) {
  std::string text;
  if (strategies.size() > 1) {
    text +=
        wrapped(fmt::format("strategy: --strategy {}", fmt::join(strategies, " or ")), 4, screen);
  }
  for (scenario::LessonKnob const& knob : lesson.knobs) {
    text += wrapped(fmt::format("{}: --set {}=VALUE", knob.words, knob.path), 4, screen);
  }
  return text;
}

}  // namespace

std::string paragraph_text(std::string const& words, Screen const& screen) {
  return wrapped(std::string(trim(words)), 0, screen);
}

std::string lesson_list_text(std::vector<scenario::Lesson> const& lessons, Screen const& screen) {
  TextTable table({{"lesson", Align::right}, {"title"}, {"goal"}});
  for (scenario::Lesson const& lesson : lessons) {
    table.add_row({std::to_string(lesson.number), lesson.title, lesson.goal});
  }
  return table.str(screen) + "\n" +
         wrapped("gridcast lesson start N shows the task; gridcast open N is the page.", 0, screen);
}

std::string lesson_task_text(scenario::Lesson const& lesson,
                             std::vector<std::string> const& strategies, Screen const& screen) {
  std::string text = fmt::format("Lesson {}: {}\n", lesson.number, lesson.title);
  text += part("Question", lesson.question, screen);
  for (scenario::LessonChoice const& choice : lesson.choices) {
    text += wrapped(choice.name + ": " + choice.text, 4, screen);
  }
  text += part("Look at", lesson.look_at, screen) + part("Change", lesson.change, screen);
  text += options_text(lesson, strategies, screen) + "\n" +
          wrapped("First write down a guess: --guess shows it again beside the result.", 0, screen);
  text += fmt::format(
      "\nCommands\n  gridcast lesson run {0} --guess ANSWER\n"
      "  gridcast lesson run {0} OPTIONS\n"
      "  gridcast lesson check {0} ANSWER\n\ngridcast open {0} shows the same in a browser.\n",
      lesson.number);
  return text;
}

std::string lesson_command(scenario::Lesson const& lesson, scenario::SolutionRun const& run) {
  std::string text = fmt::format("gridcast lesson run {}", lesson.number);
  if (!run.strategy.empty()) text += " --strategy " + run.strategy;
  for (std::string const& set : run.overrides) text += " --set " + quoted_for_shell(set);
  return text;
}

std::string figure_unit(std::string const& name) {
  std::string const plain = name.substr(0, name.rfind(':'));
  if (name.starts_with("precision:")) return "";
  if (plain.ends_with("_s") && !plain.ends_with("_per_s")) return "s";
  return plain.ends_with("_B") ? "B" : "";
}

std::string figure_words(std::string const& name) {
  std::string const of = name.substr(name.find(':') + 1);
  if (name.starts_with("precision:")) {
    return fmt::format("half the 95 % interval of the mean {}, as a share of it", figure_words(of));
  }
  if (name.starts_with("finish_s:")) return fmt::format("end of {}'s last job", of);
  if (name.starts_with("transfer_s:")) return fmt::format("input transfer of job {}", of);
  if (name == "attempts_per_success") return "attempts for each job that succeeds";
  if (auto const* metric = ledger::find_metric(name)) return std::string(metric->label);
  return name;
}

std::string figure_text(std::string const& name, double value) {
  std::string const unit = figure_unit(name);
  if (std::isnan(value)) return "there is none in this run";
  if (unit == "s") return fmt::format("{} ({:.6g} s)", to_text(Seconds(value)), value);
  if (unit == "B") return to_text(Bytes(value));
  return fmt::format("{:.4g}", value);
}

std::string lesson_solution_text(scenario::Lesson const& lesson, study::SolvedLesson const& solved,
                                 Screen const& screen) {
  std::string text = fmt::format("Lesson {}: {}\n", lesson.number, lesson.title);
  text += part("Question", lesson.question, screen) + "\n";
  TextTable table({{"command"}, {figure_words(lesson.solution.figure), Align::right}});
  for (study::SolvedRun const& each : solved.runs) {
    table.add_row(
        {lesson_command(lesson, each.run), figure_text(lesson.solution.figure, each.figure)});
  }
  text += table.str(screen) + "\n" + fmt::format("Answer: {}\n", lesson.answer);
  if (lesson.tolerance > 0) text += fmt::format("Right within {:.3g} %.\n", 100 * lesson.tolerance);
  if (solved.answer != lesson.answer) {
    text += fmt::format("From these runs: {}\n", solved.answer);
  }
  text += part("Why", lesson.why, screen);
  std::string const guess = scenario::words_on_first_guess(lesson);
  return text + (guess.empty() ? "" : part("First guess", guess, screen));
}

}  // namespace gridcast::report
