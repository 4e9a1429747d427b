#include "sim/condor/submit/submit_statements.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"

namespace gridcast::condor {

std::optional<std::string_view> SubmitLines::raw() {
  if (rest_.empty()) return std::nullopt;
  auto const end = rest_.find('\n');
  auto const line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  return trim(line);
}

std::optional<SubmitLine> SubmitLines::next() {
  SubmitLine line;
  bool continues = false;
  while (auto const piece = raw()) {
    // A comment within a continued line is left out, and does not end it.
    if (piece->starts_with('#')) continue;
    if (!continues && piece->empty()) continue;
    if (line.number == 0) line.number = number_;
    continues = piece->ends_with('\\');
    auto const said = continues ? piece->substr(0, piece->size() - 1) : *piece;
    line.text += said;
    if (!continues) return line;
  }
  if (line.number == 0) return std::nullopt;
  return line;
}

std::optional<std::vector<std::string>> SubmitLines::until(
    std::function<bool(std::string_view)> const& ends) {
  std::vector<std::string> lines;
  while (auto const line = raw()) {
    bool const last = ends(*line);
    if (last || (!line->empty() && !line->starts_with('#'))) lines.emplace_back(*line);
    if (last) return lines;
  }
  return std::nullopt;
}

std::optional<std::string> SubmitLines::item() {
  std::string text;
  bool continues = false;
  while (auto const piece = raw()) {
    bool const has_mark = piece->starts_with('#');
    if (continues && has_mark) continue;
    continues = piece->ends_with('\\') && !has_mark;
    text += continues ? piece->substr(0, piece->size() - 1) : *piece;
    if (!continues) return text;
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::vector<std::string> SubmitLines::items() {
  std::vector<std::string> all;
  while (auto line = item()) all.push_back(*std::move(line));
  return all;
}

std::optional<std::vector<std::string>> SubmitLines::items_in_brackets() {
  std::vector<std::string> all;
  while (auto line = item()) {
    if (line->starts_with(')')) return all;
    if (!line->starts_with('#')) all.push_back(*std::move(line));
  }
  return std::nullopt;
}

namespace {

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
    refuse(where, fmt::format("if version {}: no comparison of versions", comparison), "",
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
    // A name, or the value of a macro: defined if it is not empty.
    if (rest.find('$') == std::string_view::npos) return is_defined(rest);
    return !trim(expand(rest)).empty();
  }
  std::string const value = expand(text);
  if (word == "version") return version_holds(trim(value).substr(7), where);
  auto const said = trim(value);
  if (said.empty() && text.find('$') != std::string_view::npos) return false;
  if (same_ignoring_case(said, "true") || same_ignoring_case(said, "yes")) return true;
  if (same_ignoring_case(said, "false") || same_ignoring_case(said, "no")) return false;
  if (auto const number = text_as<double>(said)) return *number != 0;
  refuse(where, fmt::format("if {}: '{}' is no condition of a submit file", text, said), "",
         "HTCondor takes true, false, a number, 'defined NAME' and 'version >= X.Y.Z'.");
}

/// The next word; `rest` goes on behind it.
std::string_view next_word(std::string_view& rest, std::string_view delimiters) {
  rest.remove_prefix(std::min(rest.find_first_not_of(delimiters), rest.size()));
  std::size_t const end = std::min(rest.find_first_of(delimiters), rest.size());
  auto const word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

bool is_keyword(std::string_view word) {
  return same_ignoring_case(word, "in") || same_ignoring_case(word, "from") ||
         same_ignoring_case(word, "matching");
}

/// Position where a keyword of its own begins; npos without one.
std::size_t keyword_at(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    auto const word = next_word(rest, " \t\r\n(");
    if (is_keyword(word)) return static_cast<std::size_t>(word.data() - text.data());
  }
  return std::string_view::npos;
}

bool is_name(std::string_view word) {
  return !word.empty() && !(word[0] >= '0' && word[0] <= '9') &&
         std::ranges::all_of(word, [](char c) {
           return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '.';
         });
}

/// Count and names, before the keyword: names are the words at the end that are names.
void parse_head(std::string_view head, SubmitQueue& queue) {
  std::string_view rest = head;
  std::string_view first;
  while (!trim(rest).empty()) {
    first = next_word(rest, " \t\r\n,");
    bool const is_count = queue.count.empty() && queue.names.empty() && !is_name(first);
    if (is_count) {
      // An expression may have blanks in it: up to the first word that is a name.
      queue.count = std::string(first);
    } else if (!queue.names.empty() || is_name(first)) {
      queue.names.emplace_back(first);
    } else {
      queue.count += " " + std::string(first);
    }
  }
}

void parse_list(std::string_view rest, SubmitQueue& queue) {
  rest = trim(rest);
  if (rest.starts_with('[')) {
    auto const end = rest.find(']');
    if (end != std::string_view::npos) {
      queue.slice = std::string(rest.substr(0, end + 1));
      rest = trim(rest.substr(end + 1));
    }
  }
  bool const in_parentheses = rest.starts_with('(');
  if (in_parentheses) rest.remove_prefix(1);
  auto const end = rest.rfind(')');
  queue.is_open = in_parentheses && end == std::string_view::npos;
  queue.content = std::string(trim(in_parentheses ? rest.substr(0, end) : rest));
  if (queue.source != SubmitQueue::Source::from_lines) return;
  if (in_parentheses && !queue.content.empty()) queue.lines = {queue.content};
  if (!in_parentheses) {
    bool const is_command = queue.content.ends_with('|');
    queue.source = is_command ? SubmitQueue::Source::from_command : SubmitQueue::Source::from_file;
  }
}

std::optional<std::int64_t> whole(std::string_view text) {
  return text_as<std::int64_t>(trim(text));
}

}  // namespace

bool SubmitConditions::active() const { return open_.empty() || open_.back().active; }

SubmitConditions::Line SubmitConditions::take(
    std::string_view line, Location const& where,
    std::function<bool(std::string_view)> const& is_defined,
    std::function<std::string(std::string_view)> const& expand) {
  auto const [word, rest] = first_word(line);
  bool const is_word = word == "if" || word == "elif" || word == "else" || word == "endif";
  if (!is_word || rest.starts_with('=')) return Line::other;
  auto const holds = [&](std::string_view text) {
    return condition_holds(text, where, is_defined, expand);
  };
  if (word == "if") {
    bool const outer = active();
    bool const yes = outer && holds(rest);
    open_.push_back({where, outer, yes, yes, false});
    return Line::condition;
  }
  if (open_.empty()) refuse(where, fmt::format("'{}' without its 'if'", word));
  Branch& branch = open_.back();
  if (word == "endif") {
    open_.pop_back();
    return Line::condition;
  }
  if (branch.in_else) refuse(where, fmt::format("'{}' after 'else'", word));
  branch.in_else = word == "else";
  bool const may = branch.outer && !branch.taken;
  branch.active = may && (word == "else" || holds(rest));
  branch.taken = branch.taken || branch.active;
  return Line::condition;
}

void SubmitConditions::end() const {
  if (open_.empty()) return;
  refuse(open_.back().where, "'if' without its 'endif'");
}

SubmitQueue parse_queue(std::string_view text, Location const& where) {
  SubmitQueue queue;
  std::size_t const at = keyword_at(text);
  if (at == std::string_view::npos) {
    queue.count = std::string(trim(text));
    return queue;
  }
  parse_head(text.substr(0, at), queue);
  std::string_view rest = text.substr(at);
  auto const keyword = next_word(rest, " \t\r\n(");
  using Source = SubmitQueue::Source;
  queue.source = same_ignoring_case(keyword, "in")     ? Source::in
                 : same_ignoring_case(keyword, "from") ? Source::from_lines
                                                       : Source::matching;
  if (queue.source == Source::matching) {
    std::string_view after = rest;
    auto const kind = lower(next_word(after, " \t\r\n(["));
    if (kind == "files" || kind == "dirs" || kind == "any") {
      queue.matching = kind;
      rest = after;
    }
  }
  parse_list(rest, queue);
  if (queue.content.empty() && !queue.is_open && queue.source != Source::in) {
    refuse(where, fmt::format("queue {}: nothing follows '{}'", trim(text), keyword), "",
           "Name a file, or list items in parentheses.");
  }
  if (queue.names.empty()) queue.names.emplace_back("Item");
  return queue;
}

std::vector<std::string> list_items(std::string_view text) {
  std::vector<std::string> items;
  while (true) {
    auto const item = next_word(text, " \t\r\n,");
    if (item.empty()) return items;
    items.emplace_back(item);
  }
}

std::vector<std::string> sliced(std::vector<std::string> const& items, std::string const& slice,
                                Location const& where) {
  if (slice.empty()) return items;
  auto const parts = split(std::string_view(slice).substr(1, slice.size() - 2), ':');
  auto const n = static_cast<std::int64_t>(items.size());
  std::vector<std::optional<std::int64_t>> numbers;
  bool good = parts.size() <= 3;
  for (std::string const& part : parts) {
    numbers.push_back(whole(part));
    good = good && (numbers.back() || trim(part).empty());
  }
  good = good && (parts.size() > 1 || numbers[0]);
  numbers.resize(3);
  std::int64_t const step = numbers[2].value_or(1);
  if (!good || step < 1) {
    refuse(where, fmt::format("queue: '{}' is no slice", slice), "", "Write [start:end:step].");
  }
  auto const from_end = [n](std::int64_t i) {
    return std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n);
  };
  if (parts.size() == 1) {
    std::int64_t const only = from_end(*numbers[0]);
    if (only == n) return {};
    return {items[static_cast<std::size_t>(only)]};
  }
  std::vector<std::string> chosen;
  std::int64_t const end = from_end(numbers[1].value_or(n));
  for (std::int64_t i = from_end(numbers[0].value_or(0)); i < end; i += std::min(step, n)) {
    chosen.push_back(items[static_cast<std::size_t>(i)]);
  }
  return chosen;
}

std::vector<std::string> item_parts(std::string const& item, std::size_t names) {
  std::vector<std::string> parts;
  // Fields may be set apart by the ASCII unit separator, which then is the only one that counts.
  std::string_view const separators = item.find('\x1f') != std::string::npos ? "\x1f" : ", \t";
  std::string_view rest = trim(item);
  while (parts.size() + 1 < names) {
    auto const end = std::min(rest.find_first_of(separators), rest.size());
    parts.emplace_back(trim(rest.substr(0, end)));
    rest = trim(rest.substr(end));
    if (rest.starts_with(',') || rest.starts_with('\x1f')) rest = trim(rest.substr(1));
  }
  parts.emplace_back(rest);
  return parts;
}

}  // namespace gridcast::condor
