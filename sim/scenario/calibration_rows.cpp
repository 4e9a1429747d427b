#include <charconv>
#include <cstddef>
#include <system_error>

#include "sim/base/text.hpp"
#include "sim/scenario/calibration_reader.hpp"

namespace gridcast::scenario {
namespace {

std::string_view without_comment(std::string_view line) {
  return trim(line.substr(0, line.find('#')));
}

bool is_key(std::string_view line, std::string_view key) { return without_comment(line) == key; }

/// Reads along a line.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  int column() const { return static_cast<int>(at_) + 1; }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size() || text_[at_] == '#';
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool take(RowNumber& number) {
    skip_blanks();
    number.column = column();
    auto const* const end = text_.data() + text_.size();
    auto const [stop, error] = std::from_chars(text_.data() + at_, end, number.value);
    if (error != std::errc()) return false;
    at_ = static_cast<std::size_t>(stop - text_.data());
    return true;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Where in the file a line is: before the draws, among them, or among their rows.
class RowFinder {
 public:
  /// True for a line of the rows, also an empty one.
  bool is_row(std::string_view line) {
    std::string_view const content = without_comment(line);
    if (!content.empty() && line.front() != ' ' && line.front() != '-') {
      in_draws_ = is_key(line, "draws:");
      in_rows_ = false;
    } else if (in_rows_) {
      in_rows_ = content.empty() || content.front() == '-';
      return in_rows_;
    } else if (in_draws_ && content == "rows:") {
      in_rows_ = found_ = true;
    }
    return false;
  }
  bool found() const { return found_; }

 private:
  bool in_draws_ = false;
  bool in_rows_ = false;
  bool found_ = false;
};

}  // namespace

DrawRows split_rows(std::string const& text) {
  DrawRows draws;
  RowFinder finder;
  std::string_view rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    auto const length = rest.find('\n');
    std::string_view const content = rest.substr(0, length);
    if (!finder.is_row(content)) {
      draws.text_without += content;
    } else if (!without_comment(content).empty()) {
      draws.rows.push_back({line, content});
    }
    draws.text_without += '\n';
    rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
  }
  draws.found = finder.found();
  return draws;
}

bool read_row(std::string_view text, std::vector<RowNumber>& numbers, int& wrong_at) {
  numbers.clear();
  Cursor cursor(text);
  bool good = cursor.take('-') && cursor.take('[');
  while (good) {
    RowNumber number;
    good = cursor.take(number);
    numbers.push_back(number);
    if (!good || cursor.take(']')) break;
    good = cursor.take(',');
  }
  good = good && cursor.at_end();
  wrong_at = cursor.column();
  return good;
}

}  // namespace gridcast::scenario
