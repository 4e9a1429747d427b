#include "sim/scenario/calibration.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/scenario/calibration_reader.hpp"
#include "sim/scenario/draw_layout.hpp"
#include "sim/scenario/fixed_columns.hpp"
#include "sim/scenario/yaml_values.hpp"

namespace gridcast::scenario {
namespace {

/// A file that is broken in one way often is so in every row.
constexpr std::size_t most_row_problems = 20;
constexpr char again[] = "Run `gridcast calibrate` again.";

bool is_our_schema(YamlDocument& document) {
  if (!document.is_yaml()) return false;
  YAML::Node const& root = document.root();
  YAML::Node const schema = root.IsMap() ? root["schema"] : YAML::Node(YAML::NodeType::Undefined);
  bool const given = schema.IsDefined() && schema.IsScalar();
  if (given && schema.Scalar() == calibration_schema_name) return true;
  document.add(given ? document.at(schema.Mark()) : document.at(""),
               given ? fmt::format("this file is of schema {}, and this gridcast reads {}",
                                   schema.Scalar(), calibration_schema_name)
                     : fmt::format("this file names no schema, and this gridcast reads {}",
                                   calibration_schema_name),
               "", again);
  return false;
}

/// The value of a key that has to be there.
YAML::Node needed(YamlDocument& document, YAML::Node const& parent, std::string const& path,
                  std::string const& key) {
  if (parent.IsMap() && parent[key]) return parent[key];
  document.add(document.at(parent.Mark()),
               fmt::format("{}key '{}' is missing", path.empty() ? "" : path + ": ", key), "",
               again);
  return YAML::Node();
}

/// The rows as worlds; the problems of each row at its numbers.
class RowReader {
 public:
  RowReader(YamlDocument& document, std::string file, DrawLayout const& layout,
            std::vector<FixedColumn> fixed)
      : document_(document), file_(std::move(file)), layout_(layout), fixed_(std::move(fixed)) {}

  void read(DrawRows::Row const& row, std::vector<ParameterDraw>& draws) {
    int wrong_at = 0;
    if (!read_row(row.text, numbers_, wrong_at)) {
      complain({row.line, wrong_at}, "this row of draws is broken", "it has to be - [1, 2, ...]");
    } else if (numbers_.size() != layout_.columns()) {
      complain({row.line, numbers_.front().column},
               fmt::format("{} numbers for {} columns", numbers_.size(), layout_.columns()),
               "a row has one number a column");
    } else {
      make_parameter_draw(row.line, draws);
    }
  }

  /// How many problems were not told.
  void finish() {
    if (count_ <= most_row_problems) return;
    document_.add({file_, last_line_, 0},
                  fmt::format("{} more problems in the rows of draws", count_ - most_row_problems),
                  "", again);
  }

 private:
  struct Place {
    int line, column;
  };

  void make_parameter_draw(int line, std::vector<ParameterDraw>& draws) {
    values_.clear();
    for (RowNumber const& number : numbers_) values_.push_back(number.value);
    for (FixedColumn const& fixed : fixed_) values_[fixed.column] = fixed.value;
    found_.clear();
    draws.push_back(layout_.draw(values_, found_));
    for (ColumnProblem const& found : found_) {
      complain({line, numbers_[found.column].column}, found.problem.what, found.problem.why);
    }
  }

  void complain(Place place, std::string what, std::string why) {
    last_line_ = place.line;
    if (++count_ > most_row_problems) return;
    document_.add({file_, place.line, place.column}, std::move(what), std::move(why), "");
  }

  YamlDocument& document_;
  std::string file_;
  DrawLayout const& layout_;
  std::vector<FixedColumn> fixed_;
  std::vector<RowNumber> numbers_;
  std::vector<double> values_;
  std::vector<ColumnProblem> found_;
  std::size_t count_ = 0;
  int last_line_ = 0;
};

/// The columns; the problems of their names, each at its name.
DrawLayout read_columns(YamlValue const& value, std::vector<std::string>& names) {
  if (!value.node.IsNull()) read_value(value, {}, names);
  DrawLayout layout(names);
  if (value.document.has_problems()) return layout;
  for (ColumnProblem const& found : layout.column_problems()) {
    Problem problem = found.problem;
    problem.where = value.document.at(value.node[found.column].Mark());
    value.document.add(std::move(problem));
  }
  for (Problem problem : layout.missing()) {
    problem.where = value.document.at(value.node.Mark());
    value.document.add(std::move(problem));
  }
  return layout;
}

void read_draws(YamlDocument& document, DrawRows const& rows,
                std::vector<Override> const& overrides, Calibration& calibration) {
  YAML::Node const draws = needed(document, document.root(), "", "draws");
  if (draws.IsNull()) return;
  std::vector<std::string> names;
  DrawLayout const layout =
      read_columns({document, needed(document, draws, "draws", "columns"), "draws.columns"}, names);
  calibration.sites = layout.sites();
  if (!rows.found || rows.rows.empty()) {
    document.add(document.at(draws.Mark()), "draws: there are no rows",
                 "below 'rows:' each line has to be - [1, 2, ...]", again);
  }
  if (document.has_problems()) return;
  std::vector<Problem> of_options;
  auto fixed = fixed_columns(overrides, names, layout.set(), of_options);
  for (Problem& problem : of_options) document.add(std::move(problem));
  RowReader reader(document, calibration.file, layout, std::move(fixed));
  for (DrawRows::Row const& row : rows.rows) reader.read(row, calibration.draws);
  reader.finish();
}

}  // namespace

Calibration read_calibration_text(std::filesystem::path const& file, std::string const& text,
                                  std::vector<Override> const& overrides) {
  DrawRows const rows = split_rows(text);
  YamlDocument document(file, rows.text_without);
  Calibration calibration;
  calibration.file = file.string();
  calibration.sha256 = sha256(text);
  if (is_our_schema(document)) {
    YAML::Node const profile = needed(document, document.root(), "", "profile");
    if (!profile.IsNull()) read_value({document, profile, "profile"}, {}, calibration.profile);
    read_draws(document, rows, overrides, calibration);
  }
  if (document.has_problems()) throw InputError(document.problems());
  return calibration;
}

Calibration read_calibration(std::filesystem::path const& file) {
  return read_calibration_text(file, read_text_file(file));
}

}  // namespace gridcast::scenario
