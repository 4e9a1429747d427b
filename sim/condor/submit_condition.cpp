#include "sim/condor/submit_condition.hpp"

#include <charconv>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"

namespace gridcast::condor {
namespace {

[[noreturn]] void fail(Location const& where, std::string what, std::string hint) {
  throw InputError(Problem{where, std::move(what), "", std::move(hint)});
}

struct Words {
  std::string first;
  std::string_view rest;
};

Words first_word(std::string_view text) {
  text = trim(text);
  auto const end = text.find_first_of(" \t");
  auto const rest = end == std::string_view::npos ? std::string_view() : trim(text.substr(end));
  return {lower(text.substr(0, end)), rest};
}

bool version_holds(std::string_view comparison, Location const& where) {
  auto const digits = comparison.find_first_of("0123456789");
  auto const sign = trim(comparison.substr(0, digits));
  bool const known =
      sign == ">=" || sign == "<=" || sign == ">" || sign == "<" || sign == "==" || sign == "!=";
  auto const version = digits == std::string_view::npos ? "" : trim(comparison.substr(digits));
  if (!known || version.empty() ||
      version.find_first_not_of("0123456789.") != std::string_view::npos) {
    fail(where, fmt::format("if version {}: no comparison of versions", comparison),
         "Write 'if version >= 23.10.0'.");
  }
  classad::Ad const nothing;
  return classad::holds(classad::evaluate(
      classad::parse(fmt::format("versioncmp(\"{}\", \"{}\") {} 0", submit_version, version, sign)),
      {nothing}));
}

bool condition_holds(std::string_view text, Location const& where,
                     std::function<bool(std::string_view)> const& is_defined,
                     std::function<std::string(std::string_view)> const& expand) {
  text = trim(text);
  if (text.starts_with('!')) {
    return !condition_holds(text.substr(1), where, is_defined, expand);
  }
  auto const [word, rest] = first_word(text);
  if (word == "defined") {
    // A name, or what a macro gives: defined is what is not empty.
    if (rest.find('$') == std::string_view::npos) return is_defined(rest);
    return !trim(expand(rest)).empty();
  }
  std::string const value = expand(text);
  if (word == "version") return version_holds(trim(value).substr(7), where);
  auto const said = trim(value);
  if (same_ignoring_case(said, "true") || same_ignoring_case(said, "yes")) return true;
  if (same_ignoring_case(said, "false") || same_ignoring_case(said, "no")) return false;
  double number = 0;
  auto const* const end = said.data() + said.size();
  auto const result = std::from_chars(said.data(), end, number);
  if (!said.empty() && result.ptr == end && result.ec == std::errc()) return number != 0;
  fail(where, fmt::format("if {}: '{}' is no condition of a submit file", text, said),
       "HTCondor takes true, false, a number, 'defined NAME' and 'version >= X.Y.Z'.");
}

}  // namespace

bool SubmitConditions::active() const { return open_.empty() || open_.back().active; }

bool SubmitConditions::take(std::string_view line, Location const& where,
                            std::function<bool(std::string_view)> const& is_defined,
                            std::function<std::string(std::string_view)> const& expand) {
  auto const [word, rest] = first_word(line);
  bool const is_word = word == "if" || word == "elif" || word == "else" || word == "endif";
  if (!is_word || rest.starts_with('=')) return false;
  auto const holds = [&](std::string_view text) {
    return condition_holds(text, where, is_defined, expand);
  };
  if (word == "if") {
    bool const outer = active();
    bool const yes = outer && holds(rest);
    open_.push_back({where, outer, yes, yes, false});
    return true;
  }
  if (open_.empty()) fail(where, fmt::format("'{}' without its 'if'", word), "");
  Branch& branch = open_.back();
  if (word == "endif") {
    open_.pop_back();
    return true;
  }
  if (branch.in_else) fail(where, fmt::format("'{}' after 'else'", word), "");
  branch.in_else = word == "else";
  bool const may = branch.outer && !branch.taken;
  branch.active = may && (word == "else" || holds(rest));
  branch.taken = branch.taken || branch.active;
  return true;
}

void SubmitConditions::end() const {
  if (open_.empty()) return;
  fail(open_.back().where, "'if' without its 'endif'", "");
}

}  // namespace gridcast::condor
