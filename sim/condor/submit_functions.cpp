#include "sim/condor/submit_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"

namespace gridcast::condor {
namespace {

using Result = SubmitFunctionResult;
using ValueOf = std::function<std::string(std::string const&)>;

constexpr char no_sense[] = "makes no sense, and is left as it is";

/// Arguments between commas that stand in no parentheses.
std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (char const c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  for (auto& argument : found) argument = std::string(trim(argument));
  return found;
}

classad::Value evaluated(std::string const& text) {
  try {
    classad::Ad const nothing;
    return classad::evaluate(classad::parse(text), {nothing});
  } catch (InputError const&) {
    return classad::Error();
  }
}

/// A printf format with one conversion out of `conversions`, in which that is replaced by `letter`;
/// nothing if it is another.
std::optional<std::string> checked_format(std::string const& format, std::string_view conversions,
                                          std::string_view length) {
  auto const begin = format.find('%');
  if (begin == std::string::npos) return std::nullopt;
  std::size_t at = format.find_first_not_of("-+ 0#", begin + 1);
  std::size_t const digits = at;
  while (at < format.size() && (format[at] == '.' || (format[at] >= '0' && format[at] <= '9')))
    ++at;
  if (at >= format.size() || at - digits > 5) return std::nullopt;
  std::size_t const letter = format.find_first_not_of("lh", at);
  if (letter == std::string::npos || conversions.find(format[letter]) == std::string_view::npos) {
    return std::nullopt;
  }
  if (format.find('%', letter) != std::string::npos) return std::nullopt;
  return format.substr(0, at) + std::string(length) + format.substr(letter);
}

template <class Number>
Result printed(std::string const& format, Number number) {
  std::array<char, 1000> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int const length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), number);
#pragma GCC diagnostic pop
  if (length < 0) return {std::nullopt, no_sense};
  auto const shown = std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1);
  return {std::string(buffer.data(), shown), ""};
}

/// The format is all that follows the first comma, blanks too.
Result number(std::string_view text, bool whole, ValueOf const& value_of) {
  auto const comma = text.find(',');
  std::string const format(comma == std::string_view::npos ? "" : text.substr(comma + 1));
  auto const value = evaluated(value_of(std::string(trim(text.substr(0, comma)))));
  if (!value.is_number() || !(std::abs(value.number()) < 9e18)) return {std::nullopt, no_sense};
  auto const checked = checked_format(format.empty() ? (whole ? "%d" : "%.15g") : format,
                                      whole ? "dioxXu" : "eEfFgG", whole ? "ll" : "");
  if (!checked) return {std::nullopt, no_sense};
  if (!whole) return printed(*checked, value.number());
  auto const* const integer = value.as<std::int64_t>();
  return printed(*checked, static_cast<long long>(integer ? *integer : value.number()));
}

Result choice(std::string_view text, ValueOf const& value_of) {
  auto arguments = arguments_of(text);
  auto const index = evaluated(value_of(arguments[0]));
  arguments.erase(arguments.begin());
  if (arguments.size() == 1) arguments = arguments_of(value_of(arguments[0]));
  auto const* const at = index.as<std::int64_t>();
  bool const fits = at && *at >= 0 && *at < static_cast<std::int64_t>(arguments.size());
  if (!fits) return {std::nullopt, no_sense};
  return {value_of(arguments[static_cast<std::size_t>(*at)]), ""};
}

Result substring(std::string_view text, ValueOf const& value_of) {
  auto const arguments = arguments_of(text);
  if (arguments.size() < 2) return {std::nullopt, no_sense};
  classad::Ad ad;
  ad.set("text", value_of(arguments[0]));
  std::string call = "substr(text, " + value_of(arguments[1]);
  if (arguments.size() > 2) call += ", " + value_of(arguments[2]);
  try {
    auto const value = classad::evaluate(classad::parse(call + ")"), {ad});
    if (auto const* const part = value.as<std::string>()) return {*part, ""};
  } catch (InputError const&) {
  }
  return {std::nullopt, no_sense};
}

/// Options: p folder with its slash, d the folder's own name, n name, x extension, b without the
/// slash or the dot, q in quotes, a in single ones.
Result path_part(std::string_view options, std::string const& path) {
  auto const has = [options](char option) {
    return options.find(option) != std::string_view::npos;
  };
  auto const slash = path.rfind('/');
  std::string const folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::string const name = slash == std::string::npos ? path : path.substr(slash + 1);
  auto const dot = name.rfind('.');
  std::string const extension = dot == std::string::npos ? "" : name.substr(dot);
  std::string result;
  if (has('p')) result += folder;
  if (has('d') && !has('p') && !folder.empty()) {
    auto const before =
        folder.size() < 2 ? std::string::npos : folder.rfind('/', folder.size() - 2);
    result += before == std::string::npos ? folder : folder.substr(before + 1);
  }
  if (has('b') && (has('p') || has('d')) && result.ends_with('/')) result.pop_back();
  if (has('n')) result += name.substr(0, dot);
  if (has('x'))
    result += has('b') && !has('n') && !extension.empty() ? extension.substr(1) : extension;
  bool const all = options.find_first_of("pdnx") == std::string_view::npos;
  if (all) result = path;
  char const* const quote = has('a') ? "'" : "\"";
  return {has('q') ? quote + result + quote : result, ""};
}

}  // namespace

Result call_submit_function(std::string_view name, std::string_view text, ValueOf const& value_of) {
  auto const is = [name](std::string_view known) { return same_ignoring_case(name, known); };
  if (is("INT")) return number(text, true, value_of);
  if (is("REAL")) return number(text, false, value_of);
  if (is("CHOICE")) return choice(text, value_of);
  if (is("SUBSTR")) return substring(text, value_of);
  std::string const first(trim(text));
  if (is("STRING") || is("EVAL")) {
    auto const value = evaluated(value_of(first));
    if (value.is_error()) return {std::nullopt, no_sense};
    return {value.to_plain_text(), ""};
  }
  if (is("BASENAME")) return path_part("nx", value_of(first));
  if (is("DIRNAME")) return path_part("p", value_of(first));
  if (is("ENV")) {
    auto const colon = first.find(':');
    if (colon == std::string::npos) return {"", "is of the environment: taken as empty"};
    return {value_of(first.substr(colon + 1)), "is of the environment: its default is taken"};
  }
  if (is("RANDOM_CHOICE")) {
    auto arguments = arguments_of(text);
    if (arguments.size() == 1) arguments = arguments_of(value_of(arguments[0]));
    return {value_of(arguments[0]), "is random: the first choice is taken"};
  }
  if (is("RANDOM_INTEGER")) {
    return {value_of(arguments_of(text)[0]), "is random: the least is taken"};
  }
  bool const is_path = !name.empty() && (name[0] == 'F') &&
                       name.find_first_not_of("fpduwnxbqa", 1) == std::string_view::npos;
  if (is_path) return path_part(name.substr(1), value_of(first));
  return {std::nullopt, "is no function of submit files that is understood"};
}

}  // namespace gridcast::condor
