#include "sim/import/table/table_text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/history/csv.hpp"
#include "sim/import/table/sacct_text.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t none = std::string_view::npos;

class SeparatedTable final : public TableText {
 public:
  SeparatedTable(fs::path const& file, TableForm const& form, std::set<std::string> const& meant)
      : input_(file), window_(input_) {
    window_.more();
    skip_comments();
    TableRow row;
    listed_ = columns_below(window_.text());
    constexpr char no_separator = '\x1f';
    separator_ = listed_.empty() ? form.separator.value_or(',') : no_separator;
    if (!form.separator && listed_.empty()) {
      separator_ = separator_of(window_.text().substr(0, window_.text().find('\n')));
    }
    header_ = form.header;
    if (!header_.empty()) return;
    bool const taken = take_row(row);
    if (!troubles_.empty()) {
      Trouble const& first = troubles_.front();
      throw InputError(
          Problem{{file.string(), static_cast<int>(first.line), static_cast<int>(first.column)},
                  first.what,
                  "the first row has to name the columns",
                  ""});
    }
    if (!taken) {
      refuse({file.string(), 1}, "the table is empty", "it has no header", "");
    }
    for (std::string_view const cell : row.cells) header_.emplace_back(trim(cell));
    // `sacct --parsable` has a separator behind the last column as well.
    if (header_.size() > 1 && header_.back().empty()) header_.pop_back();
    header_ = in_spelling_of(meant, std::move(header_));
    if (!listed_.empty()) take_row(row);  // the dashes
  }

  std::vector<std::string> const& header() const override { return header_; }
  std::vector<Trouble> const& troubles() const override { return troubles_; }

  bool next(TableRow& row) override {
    while (take_row(row)) {
      if (row.cells.size() < header_.size()) join_lines(row);
      std::size_t const cells = row.cells.size();
      bool const closing = cells == header_.size() + 1 && row.cells.back().empty();
      if (closing) row.cells.pop_back();
      if (row.cells.size() > header_.size()) rejoin(header_, row_, row.cells);
      bool const cut = last_ && !ended_with_line_;
      if (row.cells.size() == header_.size()) {
        if (cut && !closing && !last_is_quoted_ && input_.trouble().empty()) {
          doubt_last_cell(row.line);
        }
        return true;
      }
      constexpr std::size_t most_troubles = 100'000;
      if (troubles_.size() == most_troubles) {
        ++troubles_.back().rows;
        continue;
      }
      troubles_.push_back(
          {row.line, 0,
           cut ? fmt::format("the last row has {} cells instead of {}; is the file cut off?", cells,
                             header_.size())
               : fmt::format("the row has {} cells instead of {}", cells, header_.size())});
    }
    if (!input_.trouble().empty() && !trouble_reported_) {
      trouble_reported_ = true;
      troubles_.push_back({line_, 0, input_.trouble(), 0});
    }
    return false;
  }

 private:
  void skip_comments() {
    std::size_t const size = comments_above(window_.text());
    auto const text = window_.text().substr(0, size);
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    window_.take(size);
  }

  /// sacct -P quotes nothing: a comment or a command of several lines goes on in the next lines.
  /// Lines are joined if they have as many cells as the header together, and none is a row itself.
  void join_lines(TableRow& row) {
    constexpr std::string_view quoting = ",;\t";  // tables with these quote such cells
    constexpr std::size_t most_lines = 1000;
    if (quoting.find(separator_) != none || !listed_.empty()) return;
    auto const separators = [this](std::string_view text) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), separator_));
    };
    std::size_t const wanted = header_.size() - 1;
    std::size_t found = separators(row_), size = 0;
    for (std::size_t lines = 0; found < wanted && lines < most_lines; ++lines) {
      std::size_t end = window_.text().find('\n', size);
      while (end == none && window_.more()) end = window_.text().find('\n', size);
      end = end == none ? window_.text().size() : end + 1;
      std::size_t const more = separators(window_.text().substr(size, end - size));
      if (end == size || more >= wanted) return;
      size = end;
      found += more;
    }
    bool const closing = found == wanted + 1;  // as `sacct --parsable` closes its rows
    if (found != wanted && !closing) return;
    take_lines(size);
    cut_up(row);
  }

  /// Appends so much of the window to the row.
  void take_lines(std::size_t size) {
    auto const text = window_.text().substr(0, size);
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    row_ += '\n';
    row_ += text;
    window_.take(size);
    end_row();
  }

  void end_row() {
    ended_with_line_ = row_.back() == '\n';
    last_ = window_.text().empty() && !window_.more();
    while (!row_.empty() && (row_.back() == '\n' || row_.back() == '\r')) row_.pop_back();
  }

  // The next row that is not empty, with as many cells as it has.
  bool take_row(TableRow& row) {
    while (true) {
      history::CsvRowEnd end =
          history::end_of_csv_row(window_.text(), separator_, window_.at_end());
      while (end.size == none && window_.more()) {
        end = history::end_of_csv_row(window_.text(), separator_, window_.at_end());
      }
      if (end.size == none) {
        end = history::end_of_csv_row(window_.text(), separator_, true);
        bool const cut = end.size == window_.text().size() && !window_.at_end();
        if (cut) return skip_overlong();
      }
      if (end.size == 0) return false;
      row_.assign(window_.text().substr(0, end.size));
      window_.take(end.size);
      row.line = line_;
      if (end.open != none) report_open_quote(end.open);
      line_ += static_cast<std::size_t>(std::count(row_.begin(), row_.end(), '\n'));
      end_row();
      if (row_.empty() || end.open != none) continue;
      cut_up(row);
      return true;
    }
  }

  /// Many editors write no last line end, and a cut within the last cell leaves none.
  void doubt_last_cell(std::size_t line) {
    troubles_.push_back({line, 0,
                         "the last row has no end of line; if the table was cut, its last cell may "
                         "be short",
                         0, true});
  }

  void report_open_quote(std::size_t at) {
    std::string_view const before = std::string_view(row_).substr(0, at);
    auto const lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t const line_begin = lines == 0 ? 0 : before.rfind('\n') + 1;
    troubles_.push_back({line_ + lines, at - line_begin + 1,
                         "nothing closes the quotation mark with which this cell begins"});
  }

  bool skip_overlong() {
    troubles_.push_back(
        {line_, 0, "a row is longer than 8 MB, and so is no row; the rest is left out"});
    while (!window_.text().empty()) {
      window_.take(window_.text().size());
      window_.more();
    }
    return false;
  }

  void cut_up(TableRow& row) {
    row.cells.clear();
    if (!listed_.empty()) {
      row.cells = cells_below(listed_, row_);
      return;
    }
    history::cut_csv_row(row_, separator_, [&](history::CsvPiece const& piece) {
      row.cells.push_back(piece.text);
      last_is_quoted_ = piece.quoted;
    });
  }

  LogInput input_;
  LogWindow window_;
  char separator_ = ',';
  std::vector<ListedColumn> listed_;  // of a listing; empty: cells have separators between
  std::vector<std::string> header_;
  std::string row_;
  std::size_t line_ = 1;
  bool ended_with_line_ = true, last_ = false, trouble_reported_ = false, last_is_quoted_ = false;
  std::vector<Trouble> troubles_;
};

using nlohmann::json;

/// An object of a JSON text, and its line.
struct ObjectText {
  std::string_view text;
  std::size_t line = 1;
};

/// The objects of a text that are whole: those that stand one after the other, else those of one of
/// its lists, the document itself or a member of it. A broken one does not count.
class ObjectTexts {
 public:
  explicit ObjectTexts(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) step(i);
  }

  /// A document can have several lists (BigPanDA's has summaries before its jobs): that whose first
  /// object has most of the names that are meant, of equal ones that with the most members, then
  /// the longest.
  std::vector<ObjectText> const& rows(std::set<std::string> const& meant) const {
    if (alone_.size() > 1) return alone_;
    std::vector<ObjectText> const* best = &alone_;
    auto most = std::make_tuple(alone_.empty() ? 0 : members(alone_, meant).first, std::size_t{0},
                                alone_.size());
    for (auto const& [begin, list] : lists_) {
      auto const [known, all] = members(list, meant);
      auto const size = std::make_tuple(known, all, list.size());
      if (size > most) {
        best = &list;
        most = size;
      }
    }
    return *best;
  }
  /// Line where a value begins that never ends; 0: none does.
  std::size_t breaks_off_in() const { return open_.empty() ? 0 : open_.back().line; }

 private:
  struct Open {
    char bracket = '{';
    std::size_t begin = 0, line = 1;
  };

  void step(std::size_t i) {
    char const c = text_[i];
    if (c == '\n') ++line_;
    if (quoted_) {
      if (c == '\\') escaped_ = !escaped_;
      if (c == '"' && !escaped_) quoted_ = false;
      if (c != '\\') escaped_ = false;
      return;
    }
    if (c == '"') quoted_ = true;
    if (c == '{' || c == '[') open(c, i);
    if (c == '}' || c == ']') close(i);
  }

  // Rows are in a list of the document, of a member of it, or of a member of that.
  void open(char bracket, std::size_t i) {
    if (open_.size() > most_around) {
      ++deeper_;
    } else {
      open_.push_back({bracket, i, line_});
    }
  }

  void close(std::size_t i) {
    if (deeper_ > 0) {
      --deeper_;
      return;
    }
    if (open_.empty()) return;
    Open const closed = open_.back();
    open_.pop_back();
    if (closed.bracket != '{') return;
    ObjectText const object{text_.substr(closed.begin, i + 1 - closed.begin), closed.line};
    if (open_.empty()) {
      alone_.push_back(object);
    } else if (open_.size() <= most_around && open_.back().bracket == '[') {
      lists_[open_.back().begin].push_back(object);
    }
  }

  /// The members of the first object: those whose names are meant, and all.
  static std::pair<std::size_t, std::size_t> members(std::vector<ObjectText> const& list,
                                                     std::set<std::string> const& meant) {
    auto const first = json_object(list.front().text);
    if (!first) return {};
    std::size_t known = 0;
    json const& document = condor::document_in(*first);
    for (auto const& [name, value] : document.items()) known += meant.count(name);
    return {known, document.size()};
  }

  static constexpr std::size_t most_around = 3;

  std::string_view text_;
  std::vector<Open> open_;
  std::map<std::size_t, std::vector<ObjectText>> lists_;  // by where each begins
  std::vector<ObjectText> alone_;
  std::size_t line_ = 1, deeper_ = 0;
  bool quoted_ = false, escaped_ = false;
};

/// Slurm's JSON has a number as {set, infinite, number}.
bool is_settable_number(json const& value) {
  return value.is_object() && value.contains("set") && value.contains("number");
}

std::string text_of(json const& value);

/// Slurm's list of resources as sacct prints it, "cpu=8,gres/gpu=1"; other texts with commas
/// between. None if an element is anything else.
std::optional<std::string> text_of_list(json const& list) {
  std::string text;
  for (json const& element : list) {
    if (!text.empty()) text += ',';
    if (element.is_string()) {
      text += element.get<std::string>();
      continue;
    }
    if (!element.is_object() || !element.contains("type") || !element.contains("count")) {
      return std::nullopt;
    }
    std::string const name = element.contains("name") ? text_of(element["name"]) : "";
    text += text_of(element["type"]) + (name.empty() ? "" : "/" + name) + '=' +
            text_of(element["count"]);
  }
  return text;
}

std::string text_of(json const& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (is_settable_number(value)) {
    bool const set = value["set"] == true && value.value("infinite", json(false)) != true;
    return set ? value["number"].dump() : "";
  }
  if (value.is_array()) {
    if (auto text = text_of_list(value)) return *std::move(text);
  }
  return value.dump();
}

/// The text of a member of a member; empty if there is none.
std::string text_within(json const& object, char const* name, char const* inner) {
  auto const found = object.find(name);
  if (found == object.end() || !found->is_object() || !found->contains(inner)) return "";
  return text_of((*found)[inner]);
}

/// The first that is not empty.
std::string either(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

// sacct --json has tasks of arrays and signals in objects. Its text has them as "12_4", for tasks
// that have not started "12_[5-9]", and "0:9": two columns more.
void add_columns_of_sacct(json& object) {
  bool const is_job = object.contains("job_id") && object.contains("array");
  if (is_job && !object.contains("JobID")) {
    std::string const array = text_within(object, "array", "job_id");
    std::string const task = text_within(object, "array", "task_id");
    std::string const tasks =
        either(text_within(object, "array", "task"), text_within(object, "array", "task_string"));
    constexpr auto no_value = "4294967294";  // Slurm's NO_VAL
    std::string name = text_of(object["job_id"]);
    if (!array.empty() && array != "0") {
      if (!task.empty() && task != no_value) {
        name = array + "_" + task;
      } else if (!tasks.empty()) {
        name = array + "_[" + tasks + "]";
      }
    }
    object["JobID"] = std::move(name);
  }
  auto const exit = object.find("exit_code");
  if (exit == object.end() || !exit->is_object() || object.contains("ExitCode")) return;
  std::string const signal =
      either(text_within(*exit, "signal", "id"), text_within(*exit, "signal", "signal_id"));
  bool const by_signal = !signal.empty() && signal != "0";
  object["ExitCode"] = by_signal ? "0:" + signal : "";
}

/// The columns of a JSON object: its members, and those of nested objects as "time.start".
void add_columns(json const& object, std::string const& within, std::vector<std::string>& names) {
  constexpr std::ptrdiff_t deepest = 2;
  for (auto const& [name, value] : object.items()) {
    std::string const whole = within + name;
    if (std::find(names.begin(), names.end(), whole) == names.end()) names.push_back(whole);
    bool const nested = value.is_object() && !is_settable_number(value);
    if (nested && std::count(whole.begin(), whole.end(), '.') < deepest) {
      add_columns(value, whole + ".", names);
    }
  }
}

/// Null if the object has no such column.
json const* value_of(json const& object, std::string_view column) {
  if (!object.is_object()) return nullptr;
  if (auto const found = object.find(column); found != object.end()) return &*found;
  for (auto dot = column.find('.'); dot != std::string_view::npos;
       dot = column.find('.', dot + 1)) {
    auto const found = object.find(column.substr(0, dot));
    if (found != object.end()) return value_of(*found, column.substr(dot + 1));
  }
  return nullptr;
}

class JsonTable final : public TableText {
 public:
  JsonTable(fs::path const& file, std::set<std::string> const& meant) : file_(file.string()) {
    LogInput input(file);
    text_ = rest_of(input, file);
    if (!input.trouble().empty()) troubles_.push_back({0, 0, input.trouble(), 0});
    take(text_, meant);
    text_ = {};
    name_columns();
    if (rows_.empty()) {
      refuse({file_, 1}, "the table is empty", "it has no JSON objects", "");
    }
  }

  bool is_json() const override { return true; }
  std::vector<std::string> const& header() const override { return header_; }
  std::vector<Trouble> const& troubles() const override { return troubles_; }

  bool next(TableRow& row) override {
    if (next_ == rows_.size()) return false;
    json const& object = rows_[next_].object;
    texts_.assign(header_.size(), {});
    row.cells.clear();
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (json const* const value = value_of(object, header_[i])) texts_[i] = text_of(*value);
    }
    row.cells.assign(texts_.begin(), texts_.end());
    row.line = rows_[next_++].line;
    return true;
  }

 private:
  struct Row {
    json object;
    std::size_t line = 1;
  };

  void take(std::string const& text, std::set<std::string> const& meant) {
    auto const whole = trim(text);
    auto const first_line = trim(whole.substr(0, whole.find('\n')));
    if (first_line.size() < whole.size() && json_object(first_line)) {
      return take_lines(text);
    }
    ObjectTexts const objects(text);
    for (ObjectText const& each : objects.rows(meant)) add(each.text, each.line);
    if (objects.breaks_off_in() > 0) {
      troubles_.push_back(
          {objects.breaks_off_in(), 0,
           "a value that begins here never ends; is the file cut off? The whole rows count"});
    }
    report_left_out();
  }

  void add(std::string_view text, std::size_t line) {
    expect_shallow_json(text, text_, {file_, "", "Remove the row, or the nested value in it."});
    if (auto const object = json_object(text)) {
      rows_.push_back({condor::document_in(*object), line});
      return add_columns_of_sacct(rows_.back().object);
    }
    if (left_out_++ == 0) first_left_out_ = line;
  }

  // An object a line.
  void take_lines(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      std::size_t const end = std::min(text.find('\n'), text.size());
      std::string_view const line = trim(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!line.empty()) add(line, number);
    }
    report_left_out();
  }

  void report_left_out() {
    if (left_out_ == 0) return;
    troubles_.push_back(
        {first_left_out_, 0,
         left_out_ == 1 ? "is no JSON object" : fmt::format("{} objects are no JSON", left_out_),
         left_out_});
  }

  void name_columns() {
    constexpr std::size_t looked_at = 100;
    for (std::size_t i = 0; i < std::min(rows_.size(), looked_at); ++i) {
      add_columns(rows_[i].object, "", header_);
    }
  }

  std::string file_, text_;
  std::vector<std::string> header_;
  std::vector<Row> rows_;
  std::size_t left_out_ = 0, first_left_out_ = 0;
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
  std::vector<Trouble> troubles_;
};

}  // namespace

char separator_of(std::string_view header_line) {
  constexpr std::string_view usual = ",|\t;", unusual = "^~#@!%&";  // sacct --delimiter
  bool const is_usual = header_line.find_first_of(usual) != std::string_view::npos;
  // A list of nodes has commas in it; texts between commas have no bars and tabs.
  constexpr std::ptrdiff_t several = 3;
  for (char const each : {'|', '\t'}) {
    if (std::count(header_line.begin(), header_line.end(), each) >= several) return each;
  }
  char most = ',';
  std::ptrdiff_t count = 0;
  for (char const each : is_usual ? usual : unusual) {
    auto const here = std::count(header_line.begin(), header_line.end(), each);
    if (here > count) {
      most = each;
      count = here;
    }
  }
  return most;
}

std::size_t comments_above(std::string_view text) {
  auto const line_at = [text](std::size_t at) { return text.substr(at, text.find('\n', at) - at); };
  std::size_t begin = 0;
  while (begin < text.size() && (text[begin] == '#' || trim(line_at(begin)).empty())) {
    begin += line_at(begin).size() + 1;
  }
  if (begin >= text.size()) return 0;
  auto const header = line_at(begin);
  char const separator = separator_of(header);
  auto const separators = std::count(header.begin(), header.end(), separator);
  for (std::size_t at = 0; at < begin && separators > 0; at += line_at(at).size() + 1) {
    auto const line = line_at(at);
    if (std::count(line.begin(), line.end(), separator) == separators) return at;
  }
  return begin;
}

std::vector<std::string> in_spelling_of(std::set<std::string> const& names,
                                        std::vector<std::string> header) {
  for (std::string& column : header) {
    if (names.contains(column)) continue;
    auto const found = std::find_if(names.begin(), names.end(), [&](std::string const& name) {
      return same_ignoring_case(name, column) &&
             std::find(header.begin(), header.end(), name) == header.end();
    });
    if (found != names.end()) column = *found;
  }
  return header;
}

std::unique_ptr<TableText> open_table(fs::path const& file, TableForm const& form,
                                      std::set<std::string> const& meant) {
  char first = '\0';
  {
    LogInput input(file);
    std::string beginning(256, '\0');
    beginning.resize(input.read(beginning.data(), beginning.size()));
    std::string_view const text = trim(beginning);
    if (!text.empty()) first = text.front();
  }
  if (first == '{' || first == '[') return std::make_unique<JsonTable>(file, meant);
  return std::make_unique<SeparatedTable>(file, form, meant);
}

}  // namespace gridcast::import
