#include "sim/report/text/lesson_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/ledger/metrics.hpp"

namespace gridcast::report {
namespace {

constexpr double steps = 1000;  // of the scale, for each unit of the logarithm
constexpr std::size_t digits_of_secret = 32;

std::string reply_to(scenario::Lesson const& lesson, std::string const& answer) {
  bool const right = scenario::is_right(lesson, answer);
  Json reply = {{"right", right}};
  if (!right) {
    reply["hint"] = scenario::hint_for(lesson, answer);
  } else {
    reply["why"] = lesson.why;
    reply["goal"] = lesson.goal;
    std::string const guess = scenario::words_on_first_guess(lesson);
    if (!guess.empty()) reply["first_guess"] = guess;
  }
  return reply.dump();
}

double number_of(std::string_view answer) {
  if (auto const time = parse_seconds(answer)) return time->value();
  if (auto const size = parse_bytes(answer)) return size->value();
  return std::strtod(std::string(answer).c_str(), nullptr);
}

long step_of(double number) { return std::lround(steps * std::log(number)); }

std::string key_of(double number) {
  if (number == 0) return "n:0";
  return fmt::format("n:{}{}", number < 0 ? "-" : "", step_of(std::abs(number)));
}

/// An answer for each key that has a reply of its own. The answers of the lesson come last, as they
/// represent their own steps.
std::map<std::string, std::string> answers_by_key(scenario::Lesson const& lesson) {
  std::map<std::string, std::string> answers;
  for (auto const& choice : lesson.choices) answers["c:" + lower(choice.name)] = choice.name;
  if (!answers.empty()) return answers;
  std::vector<std::string> known = {lesson.answer};
  for (auto const& wrong : lesson.wrong) known.push_back(wrong.answer);
  constexpr double widest = 0.5, widest_of_wrong = 0.05;  // as in scenario::hint_for
  for (auto const& answer : known) {
    bool const right = answer == lesson.answer;
    double const width = std::min(lesson.tolerance, right ? widest : widest_of_wrong);
    double const number = number_of(answer);
    if (!(number > 0)) continue;
    double const least = number * (1 - width), most = number * (1 + width);
    for (long s = step_of(least); s <= step_of(most); ++s) {
      // The step of a bound has the reply to the bound.
      double const middle = std::clamp(std::exp(static_cast<double>(s) / steps), least, most);
      answers[fmt::format("n:{}", s)] = scenario::answer_text(lesson, middle);
    }
  }
  for (auto const& answer : known) answers[key_of(number_of(answer))] = answer;
  return answers;
}

std::string xor_digits(std::string_view one, std::string_view other) {
  std::string text;
  auto const value = [](std::string_view digits, std::size_t at) {
    return std::stoul(std::string(digits.substr(at, 2)), nullptr, 16);
  };
  for (std::size_t i = 0; i + 1 < one.size(); i += 2) {
    text += fmt::format("{:02x}", value(one, i) ^ value(other, i));
  }
  return text;
}

std::string box_of(std::string const& reply, std::string const& secret) {
  std::string const digits =
      fmt::format("{:02x}", fmt::join(std::vector<unsigned char>(reply.begin(), reply.end()), ""));
  std::string stream;
  for (int block = 0; stream.size() < digits.size(); ++block) {
    stream += sha256(fmt::format("{}:{}", secret, block));
  }
  return xor_digits(digits, stream);
}

char const* kind_of_answers(scenario::Lesson const& lesson) {
  if (!lesson.choices.empty()) return "choice";
  if (parse_seconds(lesson.answer)) return "time";
  return parse_bytes(lesson.answer) ? "size" : "number";
}

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

Json sealed_answers(scenario::Lesson const& lesson) {
  std::string const salt = fmt::format("lesson {}", lesson.number);
  std::string const general = lesson.hint.empty() ? "Look at " + lesson.look_at + "." : lesson.hint;
  Json locks = Json::object(), boxes = Json::array();
  std::map<std::string, std::size_t> places;  // of the replies
  for (auto const& [key, answer] : answers_by_key(lesson)) {
    std::string const reply = reply_to(lesson, answer);
    std::string const secret = sha256("secret:" + salt + reply).substr(0, digits_of_secret);
    auto const [place, is_new] = places.emplace(reply, boxes.size());
    if (is_new) boxes.push_back(box_of(reply, secret));
    std::string const tag = sha256("tag:" + salt + ":" + key).substr(0, digits_of_secret / 2);
    locks[tag] = {place->second, xor_digits(secret, sha256("key:" + salt + ":" + key))};
  }
  return {{"salt", salt},
          {"kind", kind_of_answers(lesson)},
          {"unit", lesson.unit},
          {"locks", std::move(locks)},
          {"boxes", std::move(boxes)},
          {"other", {{"right", false}, {"hint", general}}}};
}

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
  if (solved.answer != lesson.answer) text += fmt::format("From these runs: {}\n", solved.answer);
  text += part("Why", lesson.why, screen);
  std::string const guess = scenario::words_on_first_guess(lesson);
  return text + (guess.empty() ? "" : part("First guess", guess, screen));
}

}  // namespace gridcast::report
