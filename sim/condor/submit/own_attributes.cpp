#include "sim/condor/submit/own_attributes.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace gridcast::condor {
namespace {

bool of_a_name(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  char const mark = text[at++];
  while (at < text.size() && text[at] != mark) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// A name with the scope before it, such as MY.Name.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (of_a_name(text[at]) || text[at] == '.')) ++at;
  return at;
}

class Expansion {
 public:
  explicit Expansion(SubmitCommands const& commands) : commands_(commands) {}

  std::string of(std::string_view text, int depth) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      bool const quoted = text[at] == '"' || text[at] == '\'';
      std::size_t const end = quoted                ? end_of_quotes(text, at)
                              : of_a_name(text[at]) ? end_of_name(text, at)
                                                    : at + 1;
      std::string_view const word = text.substr(at, end - at);
      SubmitValue const* const own = quoted ? nullptr : value_of(word);
      bool const is_call = trim(text.substr(end)).starts_with('(');
      if (own && !is_call && depth > 0) {
        out += "(" + of(own->text, depth - 1) + ")";
      } else {
        out += word;
      }
      at = end;
    }
    return out;
  }

 private:
  SubmitValue const* value_of(std::string_view name) const {
    if (same_ignoring_case(name.substr(0, 3), "MY.")) name.remove_prefix(3);
    auto const found = commands_.find("+" + std::string(name));
    return found == commands_.end() ? nullptr : &found->second;
  }

  SubmitCommands const& commands_;
};

constexpr char const* expressions[] = {
    "request_cpus",         "request_gpus",       "request_memory",   "request_disk",
    "retry_request_memory", "retry_request_disk", "requirements",     "rank",
    "retry_until",          "periodic_hold",      "periodic_release", "periodic_remove",
    "periodic_vacate",      "on_exit_hold",       "on_exit_remove"};

}  // namespace

std::string with_own_attributes(std::string_view expression, SubmitCommands const& commands) {
  constexpr int deepest = 8;
  return Expansion(commands).of(expression, deepest);
}

void put_in_own_attributes(SubmitFile& file) {
  bool const has_own = std::ranges::any_of(
      file.commands, [](auto const& command) { return command.first.starts_with('+'); });
  if (!has_own) return;
  auto const put_in = [](SubmitCommands& into, SubmitCommands const& own) {
    for (char const* const name : expressions) {
      auto const found = into.find(name);
      if (found == into.end()) continue;
      found->second.text = with_own_attributes(found->second.text, own);
    }
  };
  for (SubmitGroup& group : file.groups) {
    SubmitCommands own = group.commands;
    own.insert(file.commands.begin(), file.commands.end());
    put_in(group.commands, own);
  }
  put_in(file.commands, SubmitCommands(file.commands));
}

}  // namespace gridcast::condor
