#include "sim/scenario/stated_parameters.hpp"

#include <algorithm>

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

/// One key for each column.
template <class Struct, class Column>
void add_columns(Table<Struct>& table, std::span<Column const> columns) {
  for (Column const& column : columns) {
    table.add(
        {column.name, Form::number, column.help, false, "", bounds(column.allowed)},
        [&column](YamlValue const& value, Struct& stated) {
          double number = 0;
          read_value(value, bounds(column.allowed), number);
          if (value.document.is_bad(value.path)) return;
          if (holds(column.allowed, number)) {
            stated.values.emplace_back(&column, number);
          } else {
            value.complain("out of range",
                           "it has to be " + std::string(description(column.allowed)), "");
          }
        },
        [&column](YamlWriter& out, Key const& of, Struct const& stated) {
          for (auto const& [which, number] : stated.values) {
            if (which == &column) out.value(of.name, false, number, {});
          }
        });
  }
}

Table<StatedSite> const& stated_site_table() {
  static Table<StatedSite> const table = [] {
    Table<StatedSite> keys("Of a site, under its name");
    add_columns(keys, site_columns());
    return keys;
  }();
  return table;
}

bool described(SiteParameters const& site, ParameterDraw const& draw) {
  bool const computes = draw.work > Seconds() || site.epoch.scale > 0;
  return (site.gpus || site.slots) && computes;
}

/// Draw i takes the i-th known site, then the first again.
SiteParameters const* model_of(SiteSpec const& site, std::vector<std::string> const& known,
                               ParameterDraw const& draw, std::size_t i) {
  if (site.like.empty()) return nullptr;
  auto const found = draw.sites.find(site.like == like_any ? known[i % known.size()] : site.like);
  return found == draw.sites.end() ? nullptr : &found->second;
}

}  // namespace

Table<StatedParameters> const& stated_parameters_table() {
  static Table<StatedParameters> const table = [] {
    Table<StatedParameters> keys(
        "Parameters that the owner states, in every draw; without them the calibration's");
    add_columns(keys, draw_columns());
    keys.named("sites", &StatedParameters::sites, stated_site_table(), false);
    return keys;
  }();
  return table;
}

void apply_stated(StatedParameters const& stated, Pool const& pool, Calibration& calibration) {
  std::vector<std::string> const known = calibration.sites;
  for (std::size_t i = 0; i < calibration.draws.size(); ++i) {
    ParameterDraw& draw = calibration.draws[i];
    for (SiteSpec const& site : pool.sites) {
      if (draw.sites.contains(site.name)) continue;
      if (auto const* const model = model_of(site, known, draw, i)) draw.sites[site.name] = *model;
    }
    for (auto const& [column, value] : stated.values) column->set(draw, value);
    for (StatedSite const& site : stated.sites) {
      for (auto const& [column, value] : site.values) column->set(draw.sites[site.name], value);
    }
  }
  if (calibration.draws.empty()) return;
  for (auto const& [name, site] : calibration.draws.front().sites) {
    bool const is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (!is_known && described(site, calibration.draws.front())) calibration.sites.push_back(name);
  }
}

}  // namespace gridcast::scenario
