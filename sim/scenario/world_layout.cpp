#include "sim/scenario/world_layout.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/column_table.hpp"

namespace gridcast {
namespace {

std::vector<std::string> known_names(bool of_sites) {
  std::vector<std::string> names;
  if (of_sites) {
    for (SiteColumn const& column : site_columns()) names.emplace_back(column.name);
  } else {
    for (WorldColumn const& column : world_columns()) names.emplace_back(column.name);
  }
  return names;
}

/// The place is the reader's to know.
Problem problem(std::string what, std::string why, std::string hint = "") {
  Problem problem;
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.hint = std::move(hint);
  return problem;
}

Problem unknown(std::string const& name, std::string_view key, bool of_site) {
  return problem(fmt::format("unknown parameter '{}'", name),
                 of_site ? "no such parameter of a site" : "no such parameter of the world",
                 suggestion(key, known_names(of_site)));
}

}  // namespace

WorldLayout::WorldLayout(std::vector<std::string> const& columns) : names_(columns) {
  places_.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) places_.push_back(place_of(i, columns[i]));
  find_repeated(columns);
  find_missing();
}

WorldLayout::Place WorldLayout::place_of(std::size_t column, std::string const& name) {
  Place place;
  std::string_view const text = name;
  auto const point = text.find('.');
  bool const of_site = point != std::string_view::npos;
  std::string_view const key = text.substr(0, point);
  if (of_site) {
    place.site = find_site_column(key);
    if (place.site && point + 1 < text.size()) {
      place.site_index = site_index(text.substr(point + 1));
      return place;
    }
    place.site = nullptr;
  } else {
    place.world = find_world_column(key);
    if (place.world) return place;
  }
  column_problems_.push_back({column, unknown(name, key, of_site)});
  return place;
}

std::size_t WorldLayout::site_index(std::string_view site) {
  auto const found = std::find(sites_.begin(), sites_.end(), site);
  if (found != sites_.end()) return static_cast<std::size_t>(found - sites_.begin());
  sites_.emplace_back(site);
  return sites_.size() - 1;
}

void WorldLayout::find_repeated(std::vector<std::string> const& columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (seen.insert(columns[i]).second) continue;
    column_problems_.push_back({i, problem(fmt::format("parameter '{}' is given twice", columns[i]),
                                           "one column would hide the other", "Remove one.")});
  }
}

void WorldLayout::find_missing() {
  auto const& table = world_columns();
  std::vector<bool> world_seen(table.size());
  std::vector<std::vector<bool>> site_seen(sites_.size(), std::vector<bool>(site_columns().size()));
  for (Place const& place : places_) {
    if (place.world) world_seen[static_cast<std::size_t>(place.world - table.data())] = true;
    if (!place.site) continue;
    site_seen[place.site_index][static_cast<std::size_t>(place.site - site_columns().data())] =
        true;
  }
  auto const report = [this](std::string const& name) {
    missing_.push_back(
        problem(fmt::format("parameter '{}' is missing", name), "a world needs every parameter"));
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!world_seen[i]) report(std::string(table[i].name));
  }
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    for (std::size_t i = 0; i < site_columns().size(); ++i) {
      if (!site_seen[s][i]) report(fmt::format("{}.{}", site_columns()[i].name, sites_[s]));
    }
  }
  if (sites_.empty()) missing_.push_back(problem("no site has parameters", "jobs run at sites"));
}

World WorldLayout::world(std::span<double const> row, std::vector<ColumnProblem>& problems) const {
  World world;
  std::vector<SiteWorld*> sites;
  for (std::string const& site : sites_) sites.push_back(&world.sites[site]);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place const& place = places_[i];
    if (!place.world && !place.site) continue;
    Allowed const allowed = place.world ? place.world->allowed : place.site->allowed;
    if (!holds(allowed, row[i])) {
      problems.push_back({i, problem(fmt::format("{} = {} is out of range", names_[i], row[i]),
                                     fmt::format("it has to be {}", description(allowed)))});
    } else if (place.world) {
      place.world->set(world, row[i]);
    } else {
      place.site->set(*sites[place.site_index], row[i]);
    }
  }
  return world;
}

World make_world(std::vector<std::string> const& columns, std::vector<double> const& row) {
  WorldLayout const layout(columns);
  std::vector<Problem> problems = layout.missing();
  std::vector<ColumnProblem> found = layout.column_problems();
  World world;
  if (row.size() == columns.size()) {
    world = layout.world(row, found);
  } else {
    problems.push_back(problem(fmt::format("{} numbers for {} columns", row.size(), columns.size()),
                               "a row has one number a column"));
  }
  for (ColumnProblem& of_column : found) problems.push_back(std::move(of_column.problem));
  if (!problems.empty()) throw InputError(std::move(problems));
  return world;
}

}  // namespace gridcast
