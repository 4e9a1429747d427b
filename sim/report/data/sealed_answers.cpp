#include "sim/report/data/sealed_answers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

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

/// Hexadecimal digits of bytes.
std::string digits_of(std::string_view bytes) {
  std::string text;
  for (char const c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
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
  std::string const digits = digits_of(reply);
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

}  // namespace gridcast::report
