#include "calibration/both/paired_draws.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"

namespace gridcast::calibration {

namespace {

std::vector<double> in_pairs(DrawTable const& draws, std::string const& name,
                             std::vector<RowPair> const& pairs, std::size_t RowPair::*row) {
  auto const column = draws.column(name);
  std::vector<double> values;
  if (column.empty()) return values;
  for (RowPair const& pair : pairs) values.push_back(column[pair.*row]);
  return values;
}

/// Standard deviation of the logarithm of the ratio of two sites' speeds, between programs.
constexpr double sd_of_tastes = 0.6;

/// Columns of a site that only the table knows. Its slots are the pool's GPUs in the draw.
constexpr std::array of_table_sites = {"unpack_s",
                                       "epoch_family",
                                       "epoch_shape",
                                       "epoch_scale_s",
                                       "epoch_shift_s",
                                       "pilot_kill_per_s",
                                       "gpus",
                                       "cold_sigma",
                                       "stream_limit_Bps",
                                       "link_capacity_Bps",
                                       "node_capacity_Bps",
                                       "slots_per_node",
                                       "cold_limit_Bps",
                                       "cold_share"};
/// What such a site has of its own, or not at all.
constexpr std::array<std::string_view, 10> not_borrowed = {"slots",
                                                           "gpus",
                                                           "speed",
                                                           "evict_per_s",
                                                           "pilot_kill_per_s",
                                                           "pilot_death_per_s",
                                                           "latency_s",
                                                           "rate_sigma",
                                                           "stream_limit_Bps",
                                                           "link_capacity_Bps"};

/// Median time of an epoch in each row.
std::vector<double> median_epochs(PairedDraws const& draws, std::string const& site) {
  auto const of = [&](char const* name) { return draws.table_column(column_at(name, site)); };
  auto const family = of("epoch_family"), shape = of("epoch_shape"), scale = of("epoch_scale_s"),
             shift = of("epoch_shift_s");
  std::vector<double> medians;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    Distribution const epoch{static_cast<Family>(static_cast<int>(family[i])), shape[i], scale[i],
                             shift[i]};
    medians.push_back(epoch.quantile(0.5));
  }
  return medians;
}

/// A site that both know, for each row, and how much its ratio to another differs from one program
/// to another.
struct Likeness {
  std::vector<std::size_t> like;  // of `shared`
  std::vector<double> taste;
};

Likeness likeness(std::string const& site, std::size_t rows, std::size_t shared,
                  RandomStreams const& streams) {
  Likeness found;
  auto const share = static_cast<double>(shared);
  for (double const u : stratified_draws(bootstrap_stream(streams, "like " + site), rows,
                                         [](double x) { return x; })) {
    found.like.push_back(std::min(shared - 1, static_cast<std::size_t>(u * share)));
  }
  found.taste = stratified_draws(bootstrap_stream(streams, "taste at " + site), rows, [](double u) {
    return std::exp(sd_of_tastes * normal_quantile(u));
  });
  return found;
}

/// `of`: the column of a site.
template <class Of>
std::vector<double> from_like(Likeness const& alike, std::vector<std::string> const& shared,
                              Of const& of) {
  std::vector<double> values(alike.like.size());
  for (std::size_t s = 0; s < shared.size(); ++s) {
    auto const there = of(shared[s]);
    for (std::size_t i = 0; i < values.size() && !there.empty(); ++i) {
      if (alike.like[i] == s) values[i] = there[i];
    }
  }
  return values;
}

void add_borrowed(PairedDraws& draws, std::string const& name, std::vector<double> const& values,
                  Estimate const* like, char const* record, char const* how) {
  draws.set(name, values);
  Estimate line;
  line.name = name;
  line.unit = like != nullptr ? like->unit : "1";
  line.estimate = median(values);
  summarize(line, values);
  line.method = how;
  line.origin = Origin::borrowed;
  draws.add_line(line, record);
}

}  // namespace

std::string column_at(std::string_view parameter, std::string const& site) {
  return fmt::format("{}.{}", parameter, site);
}

Estimate const* line_of(Fit const& fit, std::string const& name) {
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& line) { return line.name == name; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

bool tells(Fit const& fit, std::string const& name) {
  Estimate const* const line = line_of(fit, name);
  return line != nullptr && line->origin != Origin::by_default;
}

std::vector<double> PairedDraws::table_column(std::string const& name) const {
  return in_pairs(table.draws, name, pairs, &RowPair::table);
}

std::vector<double> PairedDraws::log_column(std::string const& name) const {
  return in_pairs(log.draws, name, pairs, &RowPair::log);
}

std::vector<double> PairedDraws::recorded_column(std::string const& name) const {
  return in_pairs(recorded, name, pairs, &RowPair::log);
}

bool PairedDraws::has(std::string const& name) const {
  auto const& columns = fit.draws.columns;
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

void PairedDraws::set(std::string const& name, std::vector<double> const& values) {
  auto const& columns = fit.draws.columns;
  auto const found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return fit.draws.add(name, values);
  auto const c = static_cast<std::size_t>(found - columns.begin());
  for (std::size_t i = 0; i < values.size(); ++i) fit.draws.rows[i][c] = values[i];
}

void PairedDraws::add_line(Estimate line, char const* record) {
  line.record = record;
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& each) { return each.name == line.name; });
  if (found != fit.estimates.end()) {
    *found = std::move(line);
  } else {
    fit.estimates.push_back(std::move(line));
  }
}

void PairedDraws::add_table(std::string const& name) { add_table_as(name, name); }

void PairedDraws::add_table_as(std::string const& name, std::string const& in_table) {
  if (!has(name)) take_table(name, in_table);
}

void PairedDraws::take_table(std::string const& name, std::string const& in_table) {
  auto const values = table_column(in_table);
  if (values.empty()) return;
  set(name, values);
  Estimate const* const line = line_of(table, in_table);
  if (line == nullptr) return;
  Estimate renamed = *line;
  renamed.name = name;
  add_line(renamed, "table");
}

void add_site_of_table(PairedDraws& draws, std::string const& site,
                       std::vector<std::string> const& shared, RandomStreams const& streams) {
  for (auto const name : of_table_sites) draws.add_table(column_at(name, site));
  draws.add_table_as(column_at("rate_sigma", site), "rate_noise");
  auto const alike = likeness(site, draws.pairs.size(), shared.size(), streams);
  auto const column_like = [&](std::string_view name) {
    return from_like(alike, shared, [&](std::string const& other) {
      return draws.column(column_at(name, other));
    });
  };
  auto const own = median_epochs(draws, site);
  auto const there = from_like(
      alike, shared, [&](std::string const& other) { return median_epochs(draws, other); });
  auto speeds = column_like("speed");
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] *= there[i] / own[i] * alike.taste[i];
  auto const line_like = [&](std::string_view name) {
    return line_of(draws.log, column_at(name, shared.front()));
  };
  add_borrowed(draws, column_at("speed", site), speeds, line_like("speed"), "both",
               "the log's program at a site that both know, by the ratio of the table's epochs");
  for (scenario::SiteColumn const& column : scenario::site_columns()) {
    bool const own_kind =
        std::find(not_borrowed.begin(), not_borrowed.end(), column.name) != not_borrowed.end();
    std::string const name = column_at(column.name, site);
    bool const of_log = !draws.log.draws.column(column_at(column.name, shared.front())).empty();
    if (own_kind || !of_log || draws.has(name)) continue;
    add_borrowed(draws, name, column_like(column.name), line_like(column.name), "log",
                 "a site of the log in each draw: the table does not tell it");
  }
}

void add_program_at(PairedDraws& draws, std::string const& site,
                    std::vector<std::string> const& shared, RandomStreams const& streams) {
  auto const alike = likeness(site, draws.pairs.size(), shared.size(), streams);
  auto const there = from_like(alike, shared, [&](std::string const& other) {
    return draws.column(column_at("speed", other));
  });
  auto const here = draws.column(column_at("speed", site));
  for (std::string_view const name : columns_of_program) {
    auto values = from_like(alike, shared, [&](std::string const& other) {
      return draws.table_column(column_at(name, other));
    });
    bool const time = name == "epoch_scale_s" || name == "epoch_shift_s";
    for (std::size_t i = 0; time && i < values.size(); ++i) {
      values[i] *= there[i] / here[i] * alike.taste[i];
    }
    add_borrowed(draws, column_at(name, site), values,
                 line_of(draws.table, column_at(name, shared.front())), "both",
                 "the table's program at a site that both know, by the ratio of the log's speeds");
  }
}

}  // namespace gridcast::calibration
