#include "sim/condor/text_events.hpp"

#include <algorithm>
#include <cstring>

#include "sim/condor/event_body.hpp"
#include "sim/condor/log_date.hpp"
#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::size_t none = std::string_view::npos;

// Where in `text` a line "..." begins, at or behind `from`; `after` is where the next line begins.
// At the end of the log the line may lack its end.
std::size_t find_end_mark(std::string_view text, std::size_t from, bool last, std::size_t& after) {
  while (true) {
    std::size_t dots = from;
    if (from > 0 || !text.starts_with("...")) {
      std::size_t const start = from > 0 ? from - 1 : 0;
      auto const* found =
          static_cast<char const*>(memmem(text.data() + start, text.size() - start, "\n...", 4));
      if (found == nullptr) return none;
      dots = static_cast<std::size_t>(found - text.data()) + 1;
    }
    std::size_t end = dots + 3;
    if (end < text.size() && text[end] == '\r') ++end;
    if (end == text.size()) {
      after = end;
      return last ? dots : none;
    }
    if (text[end] == '\n') {
      after = end + 1;
      return dots;
    }
    from = dots + 1;
  }
}

// Whether one begins behind the first line.
bool holds_another_event(std::string_view text) {
  scan::line(text);
  while (!text.empty() && !begins_event(text)) scan::line(text);
  return !text.empty();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == none; }

}  // namespace

bool begins_event(std::string_view line) {
  return line.size() >= 5 && scan::is_digit(line[0]) && scan::is_digit(line[1]) &&
         scan::is_digit(line[2]) && line[3] == ' ' && line[4] == '(';
}

// Loads the text up to the next "..." into chunk_.
bool TextEvents::load() {
  line_ += in_chunk_;
  in_chunk_ = 0;
  window_.take(loaded_);
  loaded_ = 0;
  std::size_t from = 0, after = 0;
  while (true) {
    std::string_view const text = window_.text();
    std::size_t const mark = find_end_mark(text, from, window_.at_end(), after);
    if (mark != none) {
      chunk_ = text.substr(0, mark);
      loaded_ = after;
      complete_ = true;
      mark_lines_ = 1;
      return true;
    }
    from = text.size() > 4 ? text.size() - 4 : 0;
    if (window_.more()) continue;
    if (!window_.at_end()) return load_overlong();
    // What is new at the end is that a last line may lack its line end.
    if (find_end_mark(window_.text(), from, true, after) != none) continue;
    chunk_ = window_.text();
    loaded_ = chunk_.size();
    complete_ = false;
    return !chunk_.empty();
  }
}

// An event that does not fit into the window: what fits is read up to its last whole line, and the
// rest is stepped over.
bool TextEvents::load_overlong() {
  std::string_view const text = window_.text();
  auto const end = text.rfind('\n');
  chunk_ = text.substr(0, end == none ? 0 : end + 1);
  if (!chunk_.empty()) {
    loaded_ = chunk_.size();
    complete_ = true;
    return true;
  }
  warnings_.not_understood("a line is longer than 8 MB and was skipped", line_ + 1);
  while (window_.text().find('\n') == none) {
    window_.take(window_.text().size());
    if (!window_.more()) return false;
  }
  take(window_.text().find('\n') + 1);
  return load();
}

std::string_view TextEvents::line() {
  ++in_chunk_;
  return scan::line(chunk_);
}

bool TextEvents::next(RawEvent& event) {
  while (true) {
    skip_stray_lines();
    if (chunk_.empty()) {
      in_chunk_ += mark_lines_;
      mark_lines_ = 0;
      if (!load()) return false;
      continue;
    }
    if (parse(event)) return true;
  }
}

// Lines before an event, which belong to none.
void TextEvents::skip_stray_lines() {
  while (!chunk_.empty() && !begins_event(chunk_)) {
    std::string_view const text = line();
    if (!is_blank(text)) {
      warnings_.not_understood("a line outside of any event", line_ + in_chunk_);
    }
  }
}

bool TextEvents::parse(RawEvent& event) {
  event = RawEvent{};
  event.line = line_ + in_chunk_ + 1;
  if (!complete_ && !holds_another_event(chunk_)) {
    warnings_.add("the log ends within an event, which is left out (still being written?)",
                  event.line);
    while (!chunk_.empty()) line();
    return false;
  }
  if (!parse_head(event)) return false;
  parse_body(event);
  return true;
}

bool TextEvents::parse_head(RawEvent& event) {
  std::string_view rest = line();
  event.number = (rest[0] - '0') * 100 + (rest[1] - '0') * 10 + (rest[2] - '0');
  rest.remove_prefix(5);
  auto const cluster = scan::integer(rest);
  bool good = cluster && scan::eat(rest, ".");
  auto const proc = good ? scan::integer(rest) : std::nullopt;
  good = proc && scan::eat(rest, ".") && scan::integer(rest) && scan::eat(rest, ") ");
  constexpr std::int64_t most = 0xffffffff;
  if (!good || *cluster < 0 || *cluster > most || *proc < -1 || *proc > most) {
    skip_event("the first line of an event has no job id");
    return false;
  }
  auto const date = eat_log_date(rest);
  if (!date || !(rest.empty() || scan::eat(rest, " "))) {
    skip_event("an event has no date that a calendar knows");
    return false;
  }
  event.of_cluster = *proc < 0;
  event.job = {static_cast<std::uint32_t>(*cluster), static_cast<std::uint32_t>(*proc)};
  event.at_ms = date->ms;
  event.utc = date->utc;
  event.year_known = date->year_known;
  if (!known_event(event.number)) {
    skip_event("events of a number that HTCondor's 000 to 047 do not have");
    return true;
  }
  if (!read_first_line(event, rest)) {
    warnings_.not_understood("the first line of an event is not in HTCondor's words", event.line);
  }
  return true;
}

void TextEvents::parse_body(RawEvent& event) {
  while (!chunk_.empty()) {
    if (begins_event(chunk_)) {
      warnings_.add("an event without \"...\" at its end", event.line);
      return;
    }
    std::string_view const text = line();
    if (read_body_line(event, text)) continue;
    warnings_.not_understood("a line that does not belong to its event", line_ + in_chunk_);
  }
}

// Its first line is taken already.
void TextEvents::skip_event(std::string_view why) {
  std::size_t const first = line_ + in_chunk_;
  std::size_t lines = 1;
  while (!chunk_.empty() && !begins_event(chunk_)) {
    line();
    ++lines;
  }
  warnings_.not_understood(why, first, lines);
}

}  // namespace gridcast::condor
