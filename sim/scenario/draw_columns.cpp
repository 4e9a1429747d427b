#include "sim/scenario/draw_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

struct AllowedNumbers {
  std::string_view description;
  double least = 0;
  double most = std::numeric_limits<double>::max();
  bool above = false;  // `least` itself is too small
  bool whole = false;
};

/// In the order of Allowed.
AllowedNumbers const& numbers_of(Allowed allowed) {
  static auto const families = static_cast<double>(all_families().size());
  static AllowedNumbers const numbers[] = {
      {"a probability, 0 to 1", 0, 1},
      {.description = "a finite number above 0", .above = true},
      {"a number above 0, or inf", 0, std::numeric_limits<double>::infinity(), true},
      {"a finite number, 0 or more"},
      {"a finite number, 1 or more", 1},
      {"a whole number from 0 to 10000000", 0, 1e7, false, true},
      {"0 (origin), 1 (cache), 2 (path), 3 (node), 4 (uplink) or 5 (none)", 0, 5, false, true},
      {"0 (dead) or 1 (slow)", 0, 1, false, true},
      {"0 (exponential), 1 (weibull), 2 (gamma), 3 (lognormal) or 4 (loglogistic)", 0, families - 1,
       false, true},
  };
  return numbers[static_cast<std::size_t>(allowed)];
}

template <class Column>
std::vector<Column> columns_of_all(std::vector<Column> Process::*columns) {
  std::vector<Column> all;
  for (Process const& process : processes()) {
    all.insert(all.end(), (process.*columns).begin(), (process.*columns).end());
  }
  return all;
}

/// Columns in their order, and by name.
template <class Column>
class Index {
 public:
  explicit Index(std::vector<Column> columns) : columns_(std::move(columns)) {
    for (Column const& column : columns_) by_name_.emplace(column.name, &column);
  }

  std::span<Column const> columns() const { return columns_; }
  Column const* find(std::string_view name) const { return value_or(by_name_, name, nullptr); }

 private:
  std::vector<Column> columns_;
  std::unordered_map<std::string_view, Column const*> by_name_;
};

Index<DrawColumn> const& draw_index() {
  static Index const index(columns_of_all(&Process::columns));
  return index;
}

Index<SiteColumn> const& site_index_of_columns() {
  static Index const index(columns_of_all(&Process::site_columns));
  return index;
}

struct ColumnName {
  std::string_view key, site;
  bool of_site = false;
};

ColumnName column_name(std::string_view name) {
  auto const point = name.find('.');
  if (point == std::string_view::npos) return {name, {}, false};
  return {name.substr(0, point), name.substr(point + 1), true};
}

/// Calibrations have over a hundred columns: a list of all would hide the remedy.
Problem unknown(std::string const& name, ColumnName const& parts) {
  std::string const nearest =
      closest(parts.key, parts.of_site ? names_of(site_columns()) : names_of(draw_columns()));
  return {{},
          fmt::format("unknown parameter '{}'", name),
          parts.of_site ? "no such parameter of a site" : "no such parameter of a draw",
          nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)};
}

}  // namespace

std::vector<ProcessSwitch> const& process_switches() {
  constexpr auto repeated = ProcessSwitch::Of::repeated_jobs;
  static std::vector<ProcessSwitch> const switches = [] {
    std::vector<ProcessSwitch> all = {
        {recorded_jobs, "jobs repeat the histories of the record's jobs", {}},
        {campaign_variation,
         "the next campaign differs from the record that it repeats",
         {},
         repeated},
        {"computing-variation", "its executions are longer or shorter", {}, repeated},
        {"transfer-variation", "its transfers are longer or shorter", {}, repeated},
        {"attempt-variation", "its jobs repeat more or fewer attempts", {}, repeated},
        {"hold-variation", "its jobs are held more or less often", {}, repeated},
        {"waiting-variation", "its jobs wait longer or shorter", {}, repeated},
        {"outcome-variation", "more or fewer of its jobs succeed", {}, repeated},
        {"unseen-events", "it has kinds of events that the record does not have", {}, repeated}};
    for (Process const& process : processes()) {
      if (process.zero_is_off.empty()) continue;
      all.push_back({process.name, process.meaning, process.zero_is_off});
    }
    return all;
  }();
  return switches;
}

std::vector<ProcessSwitch const*> processes_named(std::string_view list,
                                                  std::vector<std::string>& unknown) {
  std::vector<ProcessSwitch const*> named;
  for (auto const& part : split(list, ',')) {
    std::string const name(trim(part));
    auto const found = std::ranges::find(process_switches(), name, &ProcessSwitch::name);
    if (found != process_switches().end()) {
      named.push_back(&*found);
    } else if (!name.empty()) {
      unknown.push_back(name);
    }
  }
  return named;
}

bool names_process(std::string_view list, std::string_view name) {
  std::vector<std::string> unknown;
  auto const named = processes_named(list, unknown);
  return std::ranges::any_of(named, [name](auto const* each) { return each->name == name; });
}

void switch_off(std::vector<ProcessSwitch const*> const& processes, Calibration& calibration) {
  std::vector<std::size_t> off;
  for (std::size_t column = 0; column < calibration.columns.size(); ++column) {
    std::string const& name = calibration.columns[column];
    std::string_view const parameter = std::string_view(name).substr(0, name.find('.'));
    bool const of_these = std::ranges::any_of(processes, [&](auto const* each) {
      return std::ranges::count(each->columns, parameter) > 0;
    });
    if (of_these) off.push_back(column);
  }
  DrawLayout const layout(calibration.columns);
  std::vector<ColumnProblem> problems;
  for (std::size_t row = 0; row < calibration.rows.size(); ++row) {
    for (std::size_t const column : off) calibration.rows[row][column] = 0;
    calibration.draws[row] = layout.draw(calibration.rows[row], problems);
  }
  check(problems.empty(), "every process may be switched off by a zero");
}

bool holds(Allowed allowed, double value) {
  AllowedNumbers const& numbers = numbers_of(allowed);
  return !std::isnan(value) && value <= numbers.most &&
         (numbers.above ? value > numbers.least : value >= numbers.least) &&
         (!numbers.whole || value == std::floor(value));
}

Bounds bounds(Allowed allowed) {
  AllowedNumbers const& numbers = numbers_of(allowed);
  return {numbers.least, numbers.most, numbers.above};
}

std::string_view description(Allowed allowed) { return numbers_of(allowed).description; }

std::span<DrawColumn const> draw_columns() { return draw_index().columns(); }

std::span<SiteColumn const> site_columns() { return site_index_of_columns().columns(); }

DrawColumn const* find_draw_column(std::string_view name) { return draw_index().find(name); }

SiteColumn const* find_site_column(std::string_view name) {
  return site_index_of_columns().find(name);
}

DrawLayout::DrawLayout(std::vector<std::string> const& columns) : names_(columns) {
  places_.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) places_.push_back(place_of(i, columns[i]));
  find_repeated(columns);
  find_missing();
}

DrawLayout::Place DrawLayout::place_of(std::size_t column, std::string const& name) {
  Place place;
  ColumnName const parts = column_name(name);
  if (parts.of_site) {
    place.site = find_site_column(parts.key);
    if (place.site && !parts.site.empty()) {
      place.site_index = site_index(parts.site);
      return place;
    }
    place.site = nullptr;
  } else {
    place.draw = find_draw_column(parts.key);
    if (place.draw) return place;
  }
  column_problems_.push_back({column, unknown(name, parts)});
  return place;
}

std::size_t DrawLayout::site_index(std::string_view site) {
  auto const [place, is_new] = index_of_site_.emplace(site, sites_.size());
  if (is_new) sites_.emplace_back(site);
  return place->second;
}

void DrawLayout::find_repeated(std::vector<std::string> const& columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (seen.insert(columns[i]).second) continue;
    column_problems_.push_back({i,
                                {{},
                                 fmt::format("parameter '{}' is given twice", columns[i]),
                                 "one column would hide the other",
                                 "Remove one."}});
  }
}

// A missing process does not happen; but slots and something to compute are needed.
void DrawLayout::find_missing() {
  std::unordered_set<std::string_view> const names(names_.begin(), names_.end());
  auto const given = [&names](std::string const& name) { return names.contains(name); };
  auto const report = [this](std::string const& what, char const* why) {
    missing_.push_back({{}, fmt::format("parameter {} is missing", what), why, ""});
  };
  if (sites_.empty()) missing_.push_back({{}, "no site has parameters", "jobs run at sites", ""});
  bool const work = given("work_s");
  for (std::string const& site : sites_) {
    if (!given("gpus." + site) && !given("slots." + site)) {
      report(fmt::format("'gpus.{0}' or 'slots.{0}'", site), "pilots offer slots at a site");
    }
    if (work && !given("speed." + site)) {
      report(fmt::format("'speed.{}'", site), "'work_s' is the work at speed 1");
    } else if (!work && !given("epoch_scale_s." + site)) {
      report(fmt::format("'epoch_scale_s.{}' or 'work_s'", site), "jobs compute");
    }
  }
}

ParameterDraw DrawLayout::draw(std::span<double const> row,
                               std::vector<ColumnProblem>& problems) const {
  ParameterDraw draw;
  std::vector<SiteParameters*> sites;
  for (std::string const& site : sites_) sites.push_back(&draw.sites[site]);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place const& place = places_[i];
    if (!place.draw && !place.site) continue;
    Allowed const allowed = place.draw ? place.draw->allowed : place.site->allowed;
    if (!holds(allowed, row[i])) {
      problems.push_back({i,
                          {{},
                           fmt::format("{} = {} is out of range", names_[i], row[i]),
                           fmt::format("it has to be {}", description(allowed)),
                           ""}});
    } else if (place.draw) {
      place.draw->set(draw, row[i]);
    } else {
      place.site->set(*sites[place.site_index], row[i]);
    }
  }
  return draw;
}

ParameterDraw make_parameter_draw(std::vector<std::string> const& columns,
                                  std::vector<double> const& row) {
  DrawLayout const layout(columns);
  std::vector<Problem> problems = layout.missing();
  std::vector<ColumnProblem> found = layout.column_problems();
  ParameterDraw draw;
  if (row.size() == columns.size()) {
    draw = layout.draw(row, found);
  } else {
    add_problem(problems, {}, fmt::format("{} numbers for {} columns", row.size(), columns.size()),
                "a row has one number a column");
  }
  for (ColumnProblem& of_column : found) problems.push_back(std::move(of_column.problem));
  if (!problems.empty()) throw InputError(std::move(problems));
  return draw;
}

std::string_view name(OutageScope scope) {
  constexpr std::string_view names[] = {"origin", "cache", "path", "node", "uplink", "none"};
  return names[static_cast<std::size_t>(scope)];
}

std::optional<Hypothesis> hypothesis(OutageParameters const& outages) {
  if (outages.scope == OutageScope::none) return Hypothesis::congestion;
  if (outages.stall_when_bad <= 0 && outages.stall_when_quiet <= 0) return std::nullopt;
  if (outages.kind == OutageKind::slow) return Hypothesis::slow;
  bool const far = outages.scope == OutageScope::origin || outages.scope == OutageScope::cache;
  return far ? Hypothesis::overload : Hypothesis::bad_path;
}

std::string_view name(Hypothesis hypothesis) {
  constexpr std::string_view names[] = {"overload", "bad_path", "slow", "congestion"};
  return names[static_cast<std::size_t>(hypothesis)];
}

double job_factor(ParameterDraw const& draw, double u) {
  if (draw.job_sigma <= 0) return 1;
  return std::exp(draw.job_sigma * normal_quantile(u));
}

void set_stated(DrawColumn const& column, double value, ParameterDraw& draw) {
  column.set(draw, value);
  if (column.name != "gpu_scaling") return;
  for (auto& [name, site] : draw.sites) site.gpus_of_speed = std::max(1, site.gpus_of_speed);
}

double abort_of_download(ParameterDraw const& draw, Bytes size) {
  Bytes const known = draw.record_input;
  if (known <= Bytes() || size == known) return draw.http_abort;
  return 1 - std::pow(1 - draw.http_abort, size / known);
}

}  // namespace gridcast::scenario
