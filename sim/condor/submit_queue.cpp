#include "sim/condor/submit_queue.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::condor {
namespace {

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

/// Where a keyword of its own begins; npos if none does.
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
         std::all_of(word.begin(), word.end(), [](char c) {
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
  if (queue.source == SubmitQueue::Source::from_lines && !in_parentheses) {
    bool const is_command = queue.content.ends_with('|');
    queue.source = is_command ? SubmitQueue::Source::from_command : SubmitQueue::Source::from_file;
  }
}

[[noreturn]] void fail(Location const& where, std::string what, std::string why, std::string hint) {
  throw InputError(Problem{where, std::move(what), std::move(why), std::move(hint)});
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  text = trim(text);
  auto const* const end = text.data() + text.size();
  auto const result = std::from_chars(text.data(), end, number);
  if (result.ptr != end || result.ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

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
    fail(where, fmt::format("queue {}: nothing follows '{}'", trim(text), keyword), "",
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
    fail(where, fmt::format("queue: '{}' is no slice", slice), "", "Write [start:end:step].");
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
