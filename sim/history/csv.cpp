#include "sim/history/csv.hpp"

#include <utility>

namespace gridcast::history {
namespace {

class CsvParser {
 public:
  CsvParser(std::string_view text, std::string const& file, std::vector<Problem>& problems)
      : text_(text), file_(file), problems_(problems) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.substr(0, byte_order_mark.size()) == byte_order_mark) {
      text_.remove_prefix(byte_order_mark.size());
    }
  }

  std::vector<CsvRow> parse() {
    std::vector<CsvRow> rows;
    while (!done()) {
      if (at_line_end()) {
        skip_line_end();
        continue;
      }
      CsvRow row = parse_row();
      if (!std::exchange(row_is_broken_, false)) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool done() const { return next_ >= text_.size(); }
  char peek() const { return text_[next_]; }
  bool at_line_end() const { return done() || peek() == '\n' || peek() == '\r'; }

  char take() {
    char const c = text_[next_++];
    ++column_;
    if (c == '\n') {
      ++line_;
      column_ = 1;
    }
    return c;
  }

  void skip_line_end() {
    if (!done() && peek() == '\r') take();
    if (!done() && peek() == '\n') take();
  }

  CsvRow parse_row() {
    CsvRow row;
    while (true) {
      row.push_back(!done() && peek() == '"' ? parse_quoted() : parse_plain());
      if (done() || peek() != ',') break;
      take();
    }
    skip_line_end();
    return row;
  }

  CsvCell parse_plain() {
    CsvCell cell{"", line_, column_};
    while (!at_line_end() && peek() != ',') {
      if (peek() == '"') report("a quote within a cell", "a cell with quotes is itself in quotes");
      cell.text += take();
    }
    return cell;
  }

  CsvCell parse_quoted() {
    CsvCell cell{"", line_, column_};
    take();
    while (!done()) {
      char const c = take();
      if (c != '"') {
        cell.text += c;
      } else if (!done() && peek() == '"') {
        cell.text += take();
      } else {
        skip_after_quotes();
        return cell;
      }
    }
    report_at(cell.line, cell.column, "a quote that is never closed", "");
    return cell;
  }

  void skip_after_quotes() {
    if (at_line_end() || peek() == ',') return;
    report("text after a closing quote", "a comma or the end of the line was expected");
    while (!at_line_end() && peek() != ',') take();
  }

  void report(std::string const& what, std::string const& why) {
    report_at(line_, column_, what, why);
  }

  // One problem a row: what follows a stray quote is noise.
  void report_at(int line, int column, std::string const& what, std::string const& why) {
    if (std::exchange(row_is_broken_, true)) return;
    problems_.push_back({{file_, line, column}, what, why, ""});
  }

  std::string_view text_;
  std::string const& file_;
  std::vector<Problem>& problems_;
  std::size_t next_ = 0;
  int line_ = 1;
  int column_ = 1;
  bool row_is_broken_ = false;
};

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems) {
  return CsvParser(text, file, problems).parse();
}

}  // namespace gridcast::history
