#include "sim/scenario/calibration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "sim/scenario/yaml/values.hpp"

namespace gridcast::scenario {

namespace {

/// The numbers of a file are shown beside an answer, so one that is not finite counts as none.
double finite_or_0(double number) { return std::isfinite(number) ? number : 0; }

constexpr Hypothesis all_hypotheses[] = {Hypothesis::overload, Hypothesis::bad_path,
                                         Hypothesis::slow, Hypothesis::congestion};

/// The lines with the names of explanations count alone if there are any. Otherwise lines of kinds
/// and scopes are added up.
std::vector<HypothesisWeight> weights_of(std::vector<HypothesisProbability> const& lines) {
  std::vector<HypothesisWeight> weights;
  for (Hypothesis const hypothesis : all_hypotheses) {
    HypothesisWeight sum{hypothesis, 0, 0, 0};
    bool found = false, named = false;
    for (HypothesisProbability const& line : lines) {
      if (named || hypothesis_of_weight(line.name) != hypothesis) continue;
      named = line.name == name(hypothesis);
      if (named) sum = {hypothesis, 0, 0, 0};
      found = true;
      sum.prior += finite_or_0(line.prior);
      sum.posterior += finite_or_0(line.probability);
      sum.log_bayes_factor = finite_or_0(line.log_bayes_factor);
    }
    if (!found) continue;
    if (!named) sum.log_bayes_factor = logit(sum.posterior) - logit(sum.prior);
    weights.push_back(sum);
  }
  return weights;
}

std::vector<std::string> schemes_of(std::vector<CalibratedUrl> const& input) {
  std::vector<std::string> schemes;
  for (CalibratedUrl const& each : input) {
    auto const end = each.url.find("://");
    if (each.url.empty()) continue;
    schemes.push_back(end == std::string::npos ? "" : each.url.substr(0, end));
  }
  return schemes;
}

/// Of a job; zero if the size of a file is not known.
Bytes input_size_of(CalibrationFile const& file) {
  if (!file.campaign) return file.input_size;
  Bytes sum;
  for (CalibratedUrl const& each : file.campaign->input) {
    if (!each.size) return {};
    sum += *each.size;
  }
  return sum;
}

/// The jobs of the logs; without a campaign, the rows of the tables.
double jobs_of(CalibrationFile const& file) {
  double jobs = 0;
  if (file.campaign) jobs = count(file.campaign->jobs);
  if (jobs > 0) return jobs;
  for (CalibrationInput const& input : file.inputs) jobs += count(input.rows);
  return jobs;
}

/// The estimates of slots.SITE.
std::map<std::string, int> slots_of(std::vector<Estimate> const& parameters) {
  constexpr std::string_view prefix = "slots.";
  std::map<std::string, int> slots;
  for (Estimate const& each : parameters) {
    if (!each.name.starts_with(prefix) || !(each.estimate >= 1 && each.estimate <= most_slots)) {
      continue;
    }
    slots.emplace(each.name.substr(prefix.size()), static_cast<int>(each.estimate));
  }
  return slots;
}

/// A number of a row, and where it stands.
struct RowNumber {
  double value = 0;
  int column = 0;
};

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
    // YAML's word for a capacity without a limit.
    constexpr std::string_view infinite = ".inf";
    if (text_.substr(at_).starts_with(infinite)) {
      at_ += infinite.size();
      number.value = std::numeric_limits<double>::infinity();
      return true;
    }
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

/// The numbers of "- [1, 2, 3]"; false and where it goes wrong if it is nothing of that form.
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

/// The values allowed in the column of that name.
Allowed allowed_in(std::string const& name) {
  if (auto const* const column = find_draw_column(name)) return column->allowed;
  auto const* const column = find_site_column(name.substr(0, name.find('.')));
  check(column != nullptr, "a column of a calibration is of the draw or of a site");
  return column->allowed;
}

/// A column of the draws that `--set calibration.NAME=VALUE` gives one value in all rows.
struct FixedColumn {
  std::size_t column = 0;
  double value = 0;
};

/// `names` are the columns of the calibration, complete. Unknown names and values
/// that the column cannot have go to `problems`, at the option.
std::vector<FixedColumn> fixed_columns(std::vector<Override> const& overrides,
                                       std::vector<std::string> const& names,
                                       std::vector<Problem>& problems) {
  std::vector<FixedColumn> fixed;
  for (Override const& override : overrides) {
    auto const found = std::ranges::find(names, override.path);
    if (found == names.end()) {
      add_problem(problems, {override.option},
                  fmt::format("the draws have no column '{}'", override.path), "",
                  suggestion(override.path, names));
      continue;
    }
    auto const value = text_as<double>(override.value);
    Allowed const allowed = allowed_in(override.path);
    if (!value || !holds(allowed, *value)) {
      add_problem(problems, {override.option},
                  fmt::format("{} is '{}'", override.path, override.value),
                  fmt::format("it has to be {}", description(allowed)),
                  value ? "" : "Write a number; its unit is in the column's name.");
      continue;
    }
    fixed.push_back({static_cast<std::size_t>(found - names.begin()), *value});
  }
  return fixed;
}

/// A file that is broken in one way often is so in every row.
constexpr std::size_t most_row_problems = 20;
constexpr char again[] = "Run `gridcast calibrate` again.";

/// The value of a key that has to be there and to have one. A key without a value is reported at
/// the key: its null stands where the next begins.
YAML::Node needed(YamlDocument& document, YAML::Node const& parent, std::string const& path,
                  std::string const& key) {
  auto const missing = [&](YAML::Mark const& mark, char const* what) {
    document.add(document.at(mark),
                 fmt::format("{}key '{}' {}", path.empty() ? "" : path + ": ", key, what), "",
                 again);
    return YAML::Node();
  };
  if (!parent.IsMap() || !parent[key]) return missing(parent.Mark(), "is missing");
  if (!parent[key].IsNull()) return parent[key];
  for (auto const& entry : parent) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key) {
      return missing(entry.first.Mark(), "has no value");
    }
  }
  return missing(parent.Mark(), "has no value");
}

/// The rows as draws; the problems of each row at its numbers.
class RowReader {
 public:
  RowReader(YamlDocument& document, std::string file, DrawLayout const& layout,
            std::vector<FixedColumn> fixed)
      : document_(document), file_(std::move(file)), layout_(layout), fixed_(std::move(fixed)) {}

  void read(DrawRows::Row const& row, Calibration& calibration) {
    int wrong_at = 0;
    if (!read_row(row.text, numbers_, wrong_at)) {
      complain({row.line, wrong_at}, "this row of draws is broken", "it has to be - [1, 2, ...]");
    } else if (numbers_.size() != layout_.columns()) {
      complain({row.line, numbers_.front().column},
               fmt::format("{} numbers for {} columns", numbers_.size(), layout_.columns()),
               "a row has one number a column");
    } else {
      make_parameter_draw(row.line, calibration);
    }
  }

  /// The number of problems that were not reported.
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

  void make_parameter_draw(int line, Calibration& calibration) {
    values_.clear();
    for (RowNumber const& number : numbers_) values_.push_back(number.value);
    for (FixedColumn const& fixed : fixed_) values_[fixed.column] = fixed.value;
    found_.clear();
    calibration.draws.push_back(layout_.draw(values_, found_));
    calibration.rows.push_back(values_);
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

/// The columns, and the problems of their names. A file that another version of gridcast wrote may
/// have a parameter of many sites that this one does not know: that is one problem.
DrawLayout read_columns(YamlValue const& value, std::vector<std::string>& names) {
  if (!value.node.IsNull()) read_value(value, {}, names);
  DrawLayout layout(names);
  if (value.document.has_problems()) return layout;
  std::set<std::string> unknown;
  for (ColumnProblem const& found : layout.column_problems()) {
    std::string const& column = names[found.column];
    Problem problem = found.problem;
    problem.where = value.document.at(value.node[found.column].Mark());
    if (!(find_draw_column(column) || find_site_column(column.substr(0, column.find('.'))))) {
      if (!unknown.insert(column.substr(0, column.find('.'))).second) continue;
      problem.why += ": another version of gridcast may have written this file";
      problem.hint += (problem.hint.empty() ? "" : " ") + std::string(again);
    }
    value.document.add(std::move(problem));
  }
  for (Problem problem : layout.missing()) {
    problem.where = value.document.at(value.node.Mark());
    problem.hint = again;
    value.document.add(std::move(problem));
  }
  return layout;
}

/// The layout of the rows; none if there is a problem.
std::optional<DrawLayout> layout_of(YamlDocument& document, DrawRows const& rows,
                                    std::vector<std::string>& names) {
  YAML::Node const draws = needed(document, document.root(), "", "draws");
  if (draws.IsNull()) return std::nullopt;
  DrawLayout layout =
      read_columns({document, needed(document, draws, "draws", "columns"), "draws.columns"}, names);
  if (!rows.found || rows.rows.empty()) {
    document.add(document.at(draws.Mark()), "draws: there are no rows",
                 "below 'rows:' each line has to be - [1, 2, ...]", again);
  }
  return document.has_problems() ? std::nullopt : std::optional(std::move(layout));
}

void read_draws(YamlDocument& document, DrawRows const& rows,
                std::vector<Override> const& overrides, Calibration& calibration) {
  std::vector<std::string> names;
  auto const layout = layout_of(document, rows, names);
  if (!layout) return;
  document.forget_nodes();  // those of thousands of sites take as much memory as their draws
  calibration.sites = layout->sites();
  std::vector<Problem> of_options;
  auto fixed = fixed_columns(overrides, names, of_options);
  for (Problem& problem : of_options) document.add(std::move(problem));
  RowReader reader(document, calibration.file, *layout, std::move(fixed));
  for (DrawRows::Row const& row : rows.rows) reader.read(row, calibration);
  reader.finish();
  calibration.columns = std::move(names);
}

std::string_view without_comment(std::string_view line) {
  return trim(line.substr(0, line.find('#')));
}

/// The place of a line in the file: before the draws, in the draws, or in their rows.
class RowFinder {
 public:
  /// True for a line of the rows, also an empty one.
  bool is_row(std::string_view line) {
    std::string_view const content = without_comment(line);
    if (!content.empty() && line.front() != ' ' && line.front() != '-') {
      in_draws_ = content == "draws:";
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

/// Leaves out the jobs of other programs.
void keep_programs(history::RecordedJobs& recorded, std::vector<std::string> const& programs,
                   std::filesystem::path const& file) {
  std::erase_if(recorded.jobs, [&](history::RecordedJob const& job) {
    return job.program == 0 || !contains(programs, recorded.programs[job.program - 1]);
  });
  if (!recorded.jobs.empty()) return;
  refuse({file.string()}, fmt::format("no recorded job ran '{}'", fmt::join(programs, "' or '")),
         recorded.programs.empty()
             ? "the record does not distinguish programs"
             : fmt::format("its programs are '{}'", fmt::join(recorded.programs, "', '")),
         "Correct campaign.work.programs.");
}

}  // namespace

std::optional<Hypothesis> hypothesis_of_weight(std::string_view text) {
  for (Hypothesis const each : all_hypotheses) {
    if (text == name(each)) return each;
  }
  if (text.starts_with("none")) return Hypothesis::congestion;
  auto const comma = text.find(", ");
  if (comma == std::string_view::npos) return std::nullopt;
  auto const kind = text.substr(0, comma), scope = text.substr(comma + 2);
  if (kind == "slow") return Hypothesis::slow;
  if (kind != "dead") return std::nullopt;
  return scope == "origin" || scope == "cache" ? Hypothesis::overload : Hypothesis::bad_path;
}

CalibrationRecord record_in(YamlDocument const& document, std::vector<Estimate> parameters) {
  CalibrationFile const file = contents_of(document, std::move(parameters));
  CalibrationRecord record;
  record.weights = weights_of(file.hypotheses);
  double const jobs = jobs_of(file);
  if (jobs >= 1) record.jobs = static_cast<std::size_t>(jobs);
  record.input_size = input_size_of(file);
  if (file.campaign) record.schemes = schemes_of(file.campaign->input);
  for (Estimate const& each : file.parameters) {
    if (each.origin == Origin::by_default) record.by_default.push_back(each.name);
  }
  for (NotIdentified const& each : file.not_identified) {
    if (!each.what.empty()) record.not_identified.emplace(each.what, each.why);
  }
  record.slots_seen = slots_of(file.parameters);
  record.jobs_file = file.jobs_file;
  record.pool = file.pool;
  record.jobs_sha256 = file.jobs_sha256;
  return record;
}

RecordGap record_gap(Calibration const& calibration, Protocol protocol) {
  auto const& record = calibration.record;
  if (record.not_identified.contains(no_input_transfers)) return RecordGap::transfers;
  if (protocol == Protocol::osdf) return RecordGap::none;
  auto const& schemes = record.schemes;
  auto const came_by = [&schemes](char const* scheme) { return is_one_of(scheme, schemes); };
  if (protocol == Protocol::htcondor) {
    return schemes.empty() || came_by("") ? RecordGap::none : RecordGap::access_point;
  }
  if (came_by("http") || came_by("https")) return RecordGap::none;
  if (is_one_of("http_abort", calibration.columns)) {
    return is_one_of("http_abort", record.by_default) ? RecordGap::http : RecordGap::none;
  }
  return schemes.empty() ? RecordGap::none : RecordGap::http;
}

std::filesystem::path recorded_jobs_of(Calibration const& calibration) {
  std::string const& name = calibration.record.jobs_file;
  if (name.empty()) return {};
  return std::filesystem::path(calibration.file).parent_path() / name;
}

void read_recorded_campaign(Calibration& calibration, std::vector<std::string> const& programs) {
  auto const file = recorded_jobs_of(calibration);
  if (file.empty()) {
    refuse({calibration.file}, "the calibration has no recorded jobs",
           "its record has no dates, or more than a quarter of its jobs had not "
           "ended",
           "Write 'from: processes'.");
  }
  auto campaign = std::make_shared<history::RecordedCampaign>();
  if (sha256_of_file(file) != calibration.record.jobs_sha256) {
    refuse({file.string()}, "these are not the recorded jobs of " + calibration.file,
           "it names another SHA-256", "Run `gridcast calibrate` again.");
  }
  campaign->jobs = history::read_recorded_jobs(file);
  // The slots served the jobs of all programs.
  campaign->slots = history::slot_supply(campaign->jobs);
  if (!programs.empty()) keep_programs(campaign->jobs, programs, file);
  calibration.recorded = std::move(campaign);
}

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

Calibration read_calibration_text(std::filesystem::path const& file, std::string const& text,
                                  std::vector<Override> const& overrides) {
  DrawRows rows = split_rows(text);
  auto parameters = take_parameters(rows.text_without);
  YamlDocument document(file, rows.text_without);
  Calibration calibration;
  calibration.file = file.string();
  calibration.sha256 = sha256(text);
  if (is_calibration(document)) {
    if (auto const profile = needed(document, document.root(), "", "profile"); !profile.IsNull()) {
      read_value({document, profile, "profile"}, {}, calibration.profile);
    }
    calibration.record = record_in(document, std::move(parameters));
    read_draws(document, rows, overrides, calibration);
    for (ParameterDraw& draw : calibration.draws) draw.record_input = calibration.record.input_size;
  }
  if (document.has_problems()) throw InputError(document.problems());
  return calibration;
}

Calibration read_calibration(std::filesystem::path const& file) {
  return read_calibration_text(file, read_text_file(file));
}

std::string made_up_calibration(std::string const& profile,
                                std::vector<std::pair<std::string, double>> const& parameters) {
  YamlLayout layout;
  layout.text = plain_name;
  layout.shape = [](std::string_view path) {
    return path.starts_with("draws") ? YamlShape::lines : YamlShape::line;
  };
  std::vector<std::string> names, numbers;
  for (auto const& [name, value] : parameters) {
    names.push_back(name);
    numbers.push_back(exact_number(value));
  }
  YamlWriter out(layout);
  out.word("schema", true, calibration_schema_name, false);
  out.value("profile", true, profile, {});
  out.group("parameters", true, [] {});
  out.group("draws", true, [&] {
    out.items("columns", names);
    out.items("rows", {fmt::format("[{}]", fmt::join(numbers, ", "))});
  });
  return out.text();
}

}  // namespace gridcast::scenario
