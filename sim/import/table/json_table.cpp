// Tables of JSON objects.
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
#include "sim/import/table/table_text.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

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
    if (!contains(names, whole)) names.push_back(whole);
    bool const nested = value.is_object() && !is_settable_number(value);
    if (nested && std::ranges::count(whole, '.') < deepest) add_columns(value, whole + ".", names);
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
    if (first_line.size() < whole.size() && json_object(first_line)) return take_lines(text);
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

std::unique_ptr<TableText> json_table(fs::path const& file, std::set<std::string> const& meant) {
  return std::make_unique<JsonTable>(file, meant);
}

}  // namespace gridcast::import
