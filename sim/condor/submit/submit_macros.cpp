#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/submit/submit_statements.hpp"

namespace gridcast::condor {
namespace {

struct Result {
  std::optional<std::string> text;  // none: the call stays as it stands
  std::string note;                 // a note about it; empty: none
};

/// Gives a macro's value for its name, and any other text with its macros replaced.
using ValueOf = std::function<std::string(std::string const&)>;

constexpr char no_sense[] = "makes no sense, and is left unchanged";

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

template <class Value>
Result printed(std::string const& format, Value number) {
  std::array<char, 1000> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int const length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), number);
#pragma GCC diagnostic pop
  if (length < 0) return {std::nullopt, no_sense};
  auto const shown = std::min<std::size_t>(static_cast<std::size_t>(length), buffer.size() - 1);
  return {std::string(buffer.data(), shown), ""};
}

enum class Number { integer, real };

/// The format is all that follows the first comma, blanks too.
Result number(std::string_view text, Number kind, ValueOf const& value_of) {
  bool const whole = kind == Number::integer;
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

/// So many of the last folders of "a/b/c/".
std::string last_folders(std::string const& path, std::ptrdiff_t count) {
  std::size_t begin = path.size();
  while (count-- > 0 && begin > 0) {
    auto const before = begin < 2 ? std::string::npos : path.rfind('/', begin - 2);
    begin = before == std::string::npos ? 0 : before + 1;
  }
  return path.substr(begin);
}

/// $BASENAME(path) or $BASENAME(path, suffix), without that suffix.
std::string base_name(std::string const& text, ValueOf const& value_of) {
  auto const comma = text.rfind(',');
  bool const has_suffix = comma != std::string::npos && text.find(')', comma) == std::string::npos;
  std::string const path =
      value_of(std::string(trim(text.substr(0, has_suffix ? comma : text.size()))));
  std::string name = path.substr(path.rfind('/') + 1);
  if (!has_suffix) return name;
  std::string const suffix = value_of(std::string(trim(text.substr(comma + 1))));
  if (lower(name).ends_with(lower(suffix))) name.resize(name.size() - suffix.size());
  return name;
}

/// Options: p folder with its slash, d the folder's own name, dd the last two, n name, x extension,
/// b without the slash or the dot, q in quotes, a in single ones.
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
  if (has('d') && !has('p')) {
    result += last_folders(folder, std::ranges::count(options, 'd'));
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

/// $INT, $REAL, $STRING, $EVAL, $CHOICE, $SUBSTR, $F..., $BASENAME, $DIRNAME, and the replacements
/// for $ENV and $RANDOM_*. HTCondor manual, condor_submit, "Function macros".
Result call_submit_function(std::string_view name, std::string_view text, ValueOf const& value_of) {
  auto const is = [name](std::string_view known) { return same_ignoring_case(name, known); };
  if (is("INT")) return number(text, Number::integer, value_of);
  if (is("REAL")) return number(text, Number::real, value_of);
  if (is("CHOICE")) return choice(text, value_of);
  if (is("SUBSTR")) return substring(text, value_of);
  std::string const first(trim(text));
  if (is("STRING") || is("EVAL")) {
    auto const value = evaluated(value_of(first));
    if (value.is_error()) return {std::nullopt, no_sense};
    return {value.to_plain_text(), ""};
  }
  if (is("BASENAME")) return {base_name(first, value_of), ""};
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

constexpr std::size_t longest = 1'000'000;
constexpr std::size_t deepest = 100;
constexpr std::size_t deepest_calls = 300;
constexpr std::size_t most_steps = 100'000;

bool in_name(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// Macros of condor_submit and of the access point's configuration.
bool is_known_at_submission(std::string_view name) {
  constexpr std::string_view names[] = {"Year",        "Month",    "Day",           "SUBMIT_TIME",
                                        "OPSYSANDVER", "OPSYSVER", "OPSYSMAJORVER", "SPOOL",
                                        "USERNAME",    "HOSTNAME", "FULL_HOSTNAME", "TILDE"};
  return std::ranges::any_of(names, [=](auto known) { return same_ignoring_case(known, name); });
}

/// For each opening parenthesis the position of the one that closes it; npos if none does, and for
/// all other characters.
std::vector<std::size_t> closing_parentheses(std::string_view text) {
  std::vector<std::size_t> closing(text.size(), std::string_view::npos);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') open.push_back(i);
    if (text[i] != ')' || open.empty()) continue;
    closing[open.back()] = i;
    open.pop_back();
  }
  return closing;
}

constexpr std::string_view parts_of_names = "Fpnxdqabwfu";  // $F and the letters behind it

Problem endless(Location const& where, std::string const& name, std::string const& why) {
  return {where, fmt::format("macro '{}' never ends", name), why,
          "Define it without itself, or give the inner macro another name."};
}

}  // namespace

bool SubmitMacros::is_defined(std::string_view name) const { return find(name) != nullptr; }

std::string const* SubmitMacros::find(std::string_view name) const {
  if (auto const* live = find_in(live_, std::string(name))) return live;
  if (auto const* found = find_in(defined_, std::string(name))) return &found->text;
  // condor_submit's own ones, on an access point of Linux.
  static std::map<std::string, std::string, LessIgnoringCase> const usual = {
      {"IsLinux", "1"}, {"IsWindows", "0"}, {"OPSYS", "LINUX"}, {"ARCH", "X86_64"}};
  return find_in(usual, std::string(name));
}

void SubmitMacros::note(Location const& where, std::string const& what, SubmitAction action) {
  if (noted_.insert(fmt::format("{}:{}:{}", where.file, where.line, what)).second) {
    notes_.push_back({where, what, SubmitTopic::other, action});
  }
}

std::optional<std::string> SubmitMacros::own_value(std::string_view reference,
                                                   std::string const& name, Location const& where) {
  std::size_t const open = reference.find('(');
  std::string_view const body = trim(reference.substr(open + 1, reference.size() - open - 2));
  std::size_t const colon = body.find(':');
  if (!same_ignoring_case(trim(body.substr(0, colon)), name)) return std::nullopt;
  if (open > 1) return expand(reference, where);
  std::string const* const before = find(name);
  if (before && !before->empty()) return *before;
  return std::string(colon == std::string_view::npos ? "" : body.substr(colon + 1));
}

// A macro's references to itself, also with a default or by its parts as a file's name, are to its
// value before (SelfOnlyBody of HTCondor's config.cpp).
void SubmitMacros::define(std::string const& name, std::string const& value,
                          Location const& where) {
  std::string_view const given = value;
  auto const closing = closing_parentheses(given);
  std::string text;
  for (std::size_t at = 0; at < given.size();) {
    std::size_t const macro = std::min(given.find('$', at), given.size());
    text += given.substr(at, macro - at);
    if (text.size() > value.size() + longest) {
      throw InputError(endless(where, name, "it grows without end"));
    }
    if (macro == given.size()) break;
    std::size_t const open =
        std::min(given.find_first_not_of(parts_of_names, macro + 1), given.size() - 1);
    bool const refers = given[open] == '(' && closing[open] != std::string_view::npos &&
                        (macro == 0 || given[macro - 1] != '$');
    auto const own = refers ? own_value(given.substr(macro, closing[open] + 1 - macro), name, where)
                            : std::nullopt;
    text += own ? *own : "$";
    at = own ? closing[open] + 1 : macro + 1;
  }
  defined_[name] = {std::move(text), where};
}

std::string SubmitMacros::expand(std::string_view text, Location const& where) {
  Expansion state{where};
  // A long text is not endless.
  state.most_text = text.size() + longest;
  state.most_steps = text.size() + most_steps;
  return expanded(text, state);
}

void SubmitMacros::count_step(Expansion& state, std::size_t size) {
  if (size <= state.most_text && ++state.steps <= state.most_steps) return;
  throw InputError(endless(state.where, state.within.empty() ? "" : state.within.front(),
                           "it grows without end"));
}

std::string SubmitMacros::expanded(std::string_view text, Expansion& state) {
  if (text.find('$') == std::string_view::npos) return std::string(text);
  if (state.depth >= deepest_calls) {
    refuse(state.where, fmt::format("macros within macros, more than {} deep", deepest_calls), "",
           "Give the inner ones names.");
  }
  ++state.depth;
  auto const closing = closing_parentheses(text);
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t const dollar = std::min(text.find('$', at), text.size());
    result += text.substr(at, dollar - at);
    count_step(state, result.size());
    if (dollar == text.size()) break;
    std::size_t open = dollar + 1;
    bool const at_match = open < text.size() && text[open] == '$';  // $$(attribute)
    if (at_match) ++open;
    while (open < text.size() && in_name(text[open])) ++open;
    std::size_t const end = open < text.size() ? closing[open] : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += text[dollar];
      at = dollar + 1;
      continue;
    }
    auto const whole = text.substr(dollar, end - dollar + 1);
    auto const name = text.substr(dollar + 1, open - dollar - 1);
    auto const inside = text.substr(open + 1, end - open - 1);
    at = end + 1;
    if (at_match) {
      note(state.where, fmt::format("{} is known at the match only, and is left unchanged", whole));
      result += whole;
    } else {
      result += name.empty() ? replaced(inside, state) : called(name, inside, whole, state);
    }
  }
  --state.depth;
  return result;
}

std::string SubmitMacros::replaced(std::string_view inside, Expansion& state) {
  auto const colon = inside.find(':');
  std::string const name(trim(inside.substr(0, colon)));
  used_.insert(name);
  std::string const* const value = find(name);
  bool const has_default = colon != std::string_view::npos;
  if (has_default && (!value || value->empty())) return expanded(inside.substr(colon + 1), state);
  if (!value && is_known_at_submission(name)) {
    note(state.where,
         fmt::format("$({}) is known at the submission only: it is taken as empty", name));
    return "";
  }
  if (!value) {
    note(state.where, fmt::format("nothing defines $({}): it is taken as empty", name),
         SubmitAction::recommended);
    return "";
  }
  bool const is_within =
      std::ranges::any_of(state.within, [&](auto const& n) { return same_ignoring_case(n, name); });
  if (is_within || state.within.size() >= deepest) {
    throw InputError(
        endless(state.where, name, fmt::format("{} -> {}", fmt::join(state.within, " -> "), name)));
  }
  state.within.push_back(name);
  std::string text = expanded(*value, state);
  state.within.pop_back();
  return text;
}

std::string SubmitMacros::called(std::string_view name, std::string_view inside,
                                 std::string_view whole, Expansion& state) {
  // An argument that names a macro is its value.
  auto const value_of = [this, &state](std::string const& argument) {
    return is_defined(argument) ? replaced(argument, state) : expanded(argument, state);
  };
  auto const result = call_submit_function(name, inside, value_of);
  if (!result.note.empty()) note(state.where, fmt::format("{} {}", whole, result.note));
  return result.text ? *result.text : std::string(whole);
}

}  // namespace gridcast::condor
