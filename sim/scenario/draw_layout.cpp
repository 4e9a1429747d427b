#include "sim/scenario/draw_layout.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/column_table.hpp"

namespace gridcast::scenario {
namespace {

std::vector<std::string> known_names(ColumnSet set, bool of_sites) {
  std::vector<std::string> names;
  if (of_sites) {
    for (SiteColumn const& column : site_columns(set)) names.emplace_back(column.name);
  } else {
    for (DrawColumn const& column : draw_columns(set)) names.emplace_back(column.name);
  }
  return names;
}

struct ColumnName {
  std::string_view key, site;
  bool of_site = false;
};

ColumnName split(std::string_view name) {
  auto const point = name.find('.');
  if (point == std::string_view::npos) return {name, {}, false};
  return {name.substr(0, point), name.substr(point + 1), true};
}

bool is_of(ColumnSet set, ColumnName const& name) {
  if (name.of_site) return find_site_column(set, name.key) != nullptr;
  return find_draw_column(set, name.key) != nullptr;
}

/// No name is in both sets, so any column tells; the more of them, the surer.
ColumnSet set_of(std::vector<std::string> const& columns) {
  auto const known = [&columns](ColumnSet set) {
    return std::count_if(columns.begin(), columns.end(),
                         [set](std::string const& name) { return is_of(set, split(name)); });
  };
  return known(ColumnSet::event_log) > known(ColumnSet::job_table) ? ColumnSet::event_log
                                                                   : ColumnSet::job_table;
}

/// The place is the reader's to know.
Problem problem(std::string what, std::string why, std::string hint = "") {
  Problem problem;
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.hint = std::move(hint);
  return problem;
}

Problem unknown(std::string const& name, ColumnName const& parts, ColumnSet set) {
  bool const dated = set == ColumnSet::event_log;
  if (is_of(dated ? ColumnSet::job_table : ColumnSet::event_log, parts)) {
    return problem(fmt::format("parameter '{}' does not belong here", name),
                   dated ? "it is of a job table, the others are of dated logs"
                         : "it is of dated logs, the others are of a job table");
  }
  return problem(fmt::format("unknown parameter '{}'", name),
                 parts.of_site ? "no such parameter of a site" : "no such parameter of the world",
                 suggestion(parts.key, known_names(set, parts.of_site)));
}

}  // namespace

DrawLayout::DrawLayout(std::vector<std::string> const& columns)
    : set_(set_of(columns)), names_(columns) {
  places_.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) places_.push_back(place_of(i, columns[i]));
  find_repeated(columns);
  find_missing();
}

DrawLayout::Place DrawLayout::place_of(std::size_t column, std::string const& name) {
  Place place;
  ColumnName const parts = split(name);
  if (parts.of_site) {
    place.site = find_site_column(set_, parts.key);
    if (place.site && !parts.site.empty()) {
      place.site_index = site_index(parts.site);
      return place;
    }
    place.site = nullptr;
  } else {
    place.draw = find_draw_column(set_, parts.key);
    if (place.draw) return place;
  }
  column_problems_.push_back({column, unknown(name, parts, set_)});
  return place;
}

std::size_t DrawLayout::site_index(std::string_view site) {
  auto const found = std::find(sites_.begin(), sites_.end(), site);
  if (found != sites_.end()) return static_cast<std::size_t>(found - sites_.begin());
  sites_.emplace_back(site);
  return sites_.size() - 1;
}

void DrawLayout::find_repeated(std::vector<std::string> const& columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (seen.insert(columns[i]).second) continue;
    column_problems_.push_back({i, problem(fmt::format("parameter '{}' is given twice", columns[i]),
                                           "one column would hide the other", "Remove one.")});
  }
}

void DrawLayout::find_missing() {
  auto const table = draw_columns(set_);
  auto const site_table = site_columns(set_);
  std::vector<bool> draw_seen(table.size());
  std::vector<std::vector<bool>> site_seen(sites_.size(), std::vector<bool>(site_table.size()));
  for (Place const& place : places_) {
    if (place.draw) draw_seen[static_cast<std::size_t>(place.draw - table.data())] = true;
    if (!place.site) continue;
    site_seen[place.site_index][static_cast<std::size_t>(place.site - site_table.data())] = true;
  }
  auto const report = [this](std::string const& name) {
    missing_.push_back(
        problem(fmt::format("parameter '{}' is missing", name), "a world needs every parameter"));
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!draw_seen[i] && !table[i].optional) report(std::string(table[i].name));
  }
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    for (std::size_t i = 0; i < site_table.size(); ++i) {
      if (!site_seen[s][i]) report(fmt::format("{}.{}", site_table[i].name, sites_[s]));
    }
  }
  if (sites_.empty()) missing_.push_back(problem("no site has parameters", "jobs run at sites"));
}

ParameterDraw DrawLayout::draw(std::span<double const> row,
                               std::vector<ColumnProblem>& problems) const {
  ParameterDraw draw;
  std::vector<SiteNumbers> sites;
  if (set_ == ColumnSet::event_log) draw.event_log.emplace();
  for (std::string const& site : sites_) {
    sites.push_back(draw.event_log ? SiteNumbers{nullptr, &draw.event_log->sites[site]}
                                   : SiteNumbers{&draw.sites[site], nullptr});
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place const& place = places_[i];
    if (!place.draw && !place.site) continue;
    Allowed const allowed = place.draw ? place.draw->allowed : place.site->allowed;
    if (!holds(allowed, row[i])) {
      problems.push_back({i, problem(fmt::format("{} = {} is out of range", names_[i], row[i]),
                                     fmt::format("it has to be {}", description(allowed)))});
    } else if (place.draw) {
      place.draw->set(draw, row[i]);
    } else {
      place.site->set(sites[place.site_index], row[i]);
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
    problems.push_back(problem(fmt::format("{} numbers for {} columns", row.size(), columns.size()),
                               "a row has one number a column"));
  }
  for (ColumnProblem& of_column : found) problems.push_back(std::move(of_column.problem));
  if (!problems.empty()) throw InputError(std::move(problems));
  return draw;
}

}  // namespace gridcast::scenario
