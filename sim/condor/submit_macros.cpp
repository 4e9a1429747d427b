#include "sim/condor/submit_macros.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/condor/submit_functions.hpp"

namespace gridcast::condor {
namespace {

constexpr std::size_t longest = 1'000'000;
constexpr std::size_t deepest = 100;
constexpr std::size_t most_steps = 100'000;

bool in_name(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// The position of the parenthesis that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

Problem endless(Location const& where, std::string const& name, std::string const& why) {
  return {where, fmt::format("macro '{}' never ends", name), why,
          "Define it without itself, or give what it needs another name."};
}

}  // namespace

bool SubmitMacros::is_defined(std::string_view name) const { return find(name) != nullptr; }

std::string const* SubmitMacros::find(std::string_view name) const {
  auto const live = live_.find(std::string(name));
  if (live != live_.end()) return &live->second;
  auto const found = defined_.find(std::string(name));
  return found == defined_.end() ? nullptr : &found->second.text;
}

void SubmitMacros::note(Location const& where, std::string const& what) {
  if (noted_.insert(fmt::format("{}:{}:{}", where.file, where.line, what)).second) {
    notes_.push_back({where, what});
  }
}

void SubmitMacros::define(std::string const& name, std::string const& value,
                          Location const& where) {
  std::string text = value;
  std::string const* const before = find(name);
  std::string const earlier = before ? *before : "";
  std::size_t at = 0;
  while ((at = text.find("$(", at)) != std::string::npos) {
    std::size_t const end = closing(text, at + 1);
    if (end == std::string::npos) break;
    std::string_view const inside = trim(std::string_view(text).substr(at + 2, end - at - 2));
    bool const is_itself = same_ignoring_case(inside, name) && (at == 0 || text[at - 1] != '$');
    if (is_itself) text.replace(at, end - at + 1, earlier);
    at += is_itself ? earlier.size() : 2;
    if (text.size() > longest) throw InputError(endless(where, name, "it grows without end"));
  }
  defined_[name] = {std::move(text), where};
}

std::string SubmitMacros::expand(std::string_view text, Location const& where) {
  Expansion state{where, {}, 0};
  return expanded(text, state);
}

std::string SubmitMacros::expanded(std::string_view text, Expansion& state) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t const dollar = std::min(text.find('$', at), text.size());
    result += text.substr(at, dollar - at);
    if (result.size() > longest || ++state.steps > most_steps) {
      throw InputError(endless(state.where, state.within.empty() ? "" : state.within.front(),
                               "it grows without end"));
    }
    if (dollar == text.size()) break;
    std::size_t open = dollar + 1;
    bool const at_match = open < text.size() && text[open] == '$';  // $$(attribute)
    if (at_match) ++open;
    while (open < text.size() && in_name(text[open])) ++open;
    std::size_t const end =
        open < text.size() && text[open] == '(' ? closing(text, open) : std::string_view::npos;
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
      note(state.where, fmt::format("{} is known at the match only, and is left as it is", whole));
      result += whole;
    } else {
      result += name.empty() ? replaced(inside, state) : called(name, inside, whole, state);
    }
  }
  return result;
}

std::string SubmitMacros::replaced(std::string_view inside, Expansion& state) {
  auto const colon = inside.find(':');
  std::string const name(trim(inside.substr(0, colon)));
  used_.insert(name);
  std::string const* const value = find(name);
  if (!value) {
    if (colon != std::string_view::npos) return expanded(inside.substr(colon + 1), state);
    note(state.where, fmt::format("nothing defines $({}): it is taken as empty", name));
    return "";
  }
  bool const is_within = std::any_of(state.within.begin(), state.within.end(),
                                     [&](auto const& n) { return same_ignoring_case(n, name); });
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
    bool const named = is_defined(argument) || live_.contains(argument);
    return named ? replaced(argument, state) : expanded(argument, state);
  };
  auto const result = call_submit_function(name, inside, value_of);
  if (!result.note.empty()) note(state.where, fmt::format("{} {}", whole, result.note));
  return result.text ? *result.text : std::string(whole);
}

}  // namespace gridcast::condor
