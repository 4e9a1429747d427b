#include "sim/scenario/draw_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::scenario {
namespace {

using Draw = ParameterDraw;
using Stall = StallParameters;
using Shock = ShockParameters;
using Log = EventLogParameters;
using LogSite = EventLogSiteParameters;
using Site = SiteParameters;

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
      {"a finite number, 0 or more"},
      {"a finite number, 1 or more", 1},
      {"a whole number, 0 or more", 0, 1e9 - 1, false, true},
      {"0 (origin), 1 (cache) or 2 (path)", 0, 2, false, true},
      {"0 (exponential), 1 (weibull), 2 (gamma), 3 (lognormal) or 4 (loglogistic)", 0, families - 1,
       false, true},
  };
  return numbers[static_cast<std::size_t>(allowed)];
}

/// Where a chain of members leads: at<&A::b, &B::c>(a) is a.b.c.
template <auto member, auto... more>
auto& at(auto& object) {
  if constexpr (sizeof...(more) == 0) {
    return object.*member;
  } else {
    return at<more...>(object.*member);
  }
}

/// A number into a field: a count, an index, a quantity.
template <class Field>
void put(Field& field, double value) {
  if constexpr (std::is_enum_v<Field>) {
    field = static_cast<Field>(static_cast<int>(value));
  } else {
    field = static_cast<Field>(value);
  }
}

template <auto... members>
void in_draw(Draw& draw, double value) {
  put(at<members...>(draw), value);
}
template <auto... members>
void in_log(Draw& draw, double value) {
  put(at<members...>(*draw.event_log), value);
}
template <auto... members>
void at_site(SiteNumbers const& site, double value) {
  put(at<members...>(*site.of_job_table), value);
}
template <auto member>
void at_log_site(SiteNumbers const& site, double value) {
  put((*site.of_event_log).*member, value);
}

void set_release_delay(Draw& draw, double mean) {
  draw.release_delay = {Family::exponential, 1, mean, 0};
}

void set_overhead_scale(Draw& draw, double scale) {
  draw.overhead.family = Family::gamma;
  draw.overhead.scale = scale;
}

std::vector<DrawColumn> job_table_columns() {
  using enum Allowed;
  return {
      {"stall_scope", scope, in_draw<&Draw::stall, &Stall::scope>},
      {"stall_bad_fraction", probability, in_draw<&Draw::stall, &Stall::bad_fraction>},
      {"stall_bad_duration_s", positive, in_draw<&Draw::stall, &Stall::bad_duration>},
      {"stall_when_bad", probability, in_draw<&Draw::stall, &Stall::stall_when_bad>},
      {"stall_when_quiet", probability, in_draw<&Draw::stall, &Stall::stall_when_quiet>},
      {"slow_before_stall", probability, in_draw<&Draw::stall, &Stall::slow_before_stall>},
      {"slow_duration_s", not_negative, in_draw<&Draw::stall, &Stall::slow_duration>},
      {"pause", probability, in_draw<&Draw::stall, &Stall::pause>, true},
      {"pause_duration_s", not_negative, in_draw<&Draw::stall, &Stall::pause_duration>, true},
      {"rate_noise", not_negative, in_draw<&Draw::rate_noise>},
      {"hold_on_failure", probability, in_draw<&Draw::hold_on_failure>},
      {"spurious_404", probability, in_draw<&Draw::spurious_404>},
      {"not_found_per_start", probability, in_draw<&Draw::not_found, &Shock::per_start>},
      {"not_found_mean_hits", at_least_one, in_draw<&Draw::not_found, &Shock::mean_hits>},
      {"network_down_per_start", probability, in_draw<&Draw::network_down, &Shock::per_start>},
      {"network_down_mean_hits", at_least_one, in_draw<&Draw::network_down, &Shock::mean_hits>},
      {"corrupt_input", probability, in_draw<&Draw::corrupt_input>},
      {"corrupt_execution_s", not_negative, in_draw<&Draw::corrupt_execution>},
      {"release_transfer_hold", probability, in_draw<&Draw::release_transfer_hold>},
      {"release_other_hold", probability, in_draw<&Draw::release_other_hold>},
      {"release_delay_mean_s", positive, set_release_delay},
      {"overhead_shape", positive, in_draw<&Draw::overhead, &Distribution::shape>},
      {"overhead_scale_s", positive, set_overhead_scale},
      {"http_abort", probability, in_draw<&Draw::http_abort>},
  };
}

std::vector<SiteColumn> job_table_site_columns() {
  using enum Allowed;
  return {
      {"gpus", count, at_site<&Site::gpus>},
      {"unpack_s", not_negative, at_site<&Site::unpack>},
      {"epoch_family", family, at_site<&Site::epoch, &Distribution::family>},
      {"epoch_shape", positive, at_site<&Site::epoch, &Distribution::shape>},
      {"epoch_scale_s", positive, at_site<&Site::epoch, &Distribution::scale>},
      {"epoch_shift_s", not_negative, at_site<&Site::epoch, &Distribution::shift>},
      {"stream_limit_Bps", positive, at_site<&Site::stream_limit>},
      {"link_capacity_Bps", positive, at_site<&Site::link_capacity>},
      {"pilot_kill_per_s", not_negative, at_site<&Site::pilot_kill_per_second>},
  };
}

/// The four columns of a distribution of times.
template <Distribution Log::*member>
void add_times(std::vector<DrawColumn>& columns, std::string const& name) {
  using enum Allowed;
  columns.push_back({name + "_family", family, in_log<member, &Distribution::family>});
  columns.push_back({name + "_shape", positive, in_log<member, &Distribution::shape>});
  columns.push_back({name + "_scale_s", positive, in_log<member, &Distribution::scale>});
  columns.push_back({name + "_shift_s", not_negative, in_log<member, &Distribution::shift>});
}

std::vector<DrawColumn> event_log_columns() {
  using enum Allowed;
  std::vector<DrawColumn> columns = {
      {"url_reference_B", positive, in_log<&Log::url_reference>},
      {"url_exponent", not_negative, in_log<&Log::url_exponent>},
      {"url_failed_after", probability, in_log<&Log::url_failed_after>},
      {"work_s", positive, in_log<&Log::work>},
      {"job_sigma", not_negative, in_log<&Log::job_sigma>},
      {"execution_sigma", not_negative, in_log<&Log::execution_sigma>},
      {"release", probability, in_log<&Log::release>},
      {"most_holds", count, in_log<&Log::most_holds>},
      {"suspension_s", not_negative, in_log<&Log::suspension>},
      {"pilot_replacement_s", not_negative, in_log<&Log::pilot_replacement>},
  };
  add_times<&Log::match_delay>(columns, "match_delay");
  add_times<&Log::setup>(columns, "setup");
  add_times<&Log::teardown>(columns, "teardown");
  add_times<&Log::checkpoint>(columns, "checkpoint");
  add_times<&Log::requeue_delay>(columns, "requeue_delay");
  add_times<&Log::release_delay>(columns, "release_delay");
  add_times<&Log::reconnect_delay>(columns, "reconnect_delay");
  return columns;
}

std::vector<SiteColumn> event_log_site_columns() {
  using enum Allowed;
  return {
      {"slots", count, at_log_site<&LogSite::slots>},
      {"url_median_s", positive, at_log_site<&LogSite::url_median>},
      {"url_sigma", not_negative, at_log_site<&LogSite::url_sigma>},
      {"url_failure", probability, at_log_site<&LogSite::url_failure>},
      {"url_hang", probability, at_log_site<&LogSite::url_hang>},
      {"speed", positive, at_log_site<&LogSite::speed>},
      {"crash", probability, at_log_site<&LogSite::crash>},
      {"evict_per_s", not_negative, at_log_site<&LogSite::evict_per_second>},
      {"disconnect_per_s", not_negative, at_log_site<&LogSite::disconnect_per_second>},
      {"reconnect", probability, at_log_site<&LogSite::reconnect>},
      {"suspend_per_s", not_negative, at_log_site<&LogSite::suspend_per_second>},
      {"pilot_death_per_s", not_negative, at_log_site<&LogSite::pilot_death_per_second>},
  };
}

/// Columns in their order, and by name.
template <class Column>
class Index {
 public:
  explicit Index(std::vector<Column> columns) : columns_(std::move(columns)) {
    for (Column const& column : columns_) by_name_.emplace(column.name, &column);
  }

  std::span<Column const> columns() const { return columns_; }
  Column const* find(std::string_view name) const {
    auto const found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  std::vector<Column> columns_;
  std::unordered_map<std::string_view, Column const*> by_name_;
};

Index<DrawColumn> const& draw_index(ColumnSet set) {
  static Index const of_job_table(job_table_columns());
  static Index const of_event_log(event_log_columns());
  return set == ColumnSet::event_log ? of_event_log : of_job_table;
}

Index<SiteColumn> const& site_index(ColumnSet set) {
  static Index const of_job_table(job_table_site_columns());
  static Index const of_event_log(event_log_site_columns());
  return set == ColumnSet::event_log ? of_event_log : of_job_table;
}

std::vector<std::string> known_names(ColumnSet set, bool of_sites) {
  std::vector<std::string> names;
  if (of_sites) {
    for (SiteColumn const& column : site_columns(set)) names.push_back(column.name);
  } else {
    for (DrawColumn const& column : draw_columns(set)) names.push_back(column.name);
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
  bool const from_event_log = set == ColumnSet::event_log;
  if (is_of(from_event_log ? ColumnSet::job_table : ColumnSet::event_log, parts)) {
    return problem(fmt::format("parameter '{}' does not belong here", name),
                   from_event_log ? "it is of a job table, the others are of dated logs"
                                  : "it is of dated logs, the others are of a job table");
  }
  return problem(fmt::format("unknown parameter '{}'", name),
                 parts.of_site ? "no such parameter of a site" : "no such parameter of the world",
                 suggestion(parts.key, known_names(set, parts.of_site)));
}

}  // namespace

bool holds(Allowed allowed, double value) {
  AllowedNumbers const& numbers = numbers_of(allowed);
  return std::isfinite(value) && value <= numbers.most &&
         (numbers.above ? value > numbers.least : value >= numbers.least) &&
         (!numbers.whole || value == std::floor(value));
}

std::string_view description(Allowed allowed) { return numbers_of(allowed).description; }

std::span<DrawColumn const> draw_columns(ColumnSet set) { return draw_index(set).columns(); }

std::span<SiteColumn const> site_columns(ColumnSet set) { return site_index(set).columns(); }

DrawColumn const* find_draw_column(ColumnSet set, std::string_view name) {
  return draw_index(set).find(name);
}

SiteColumn const* find_site_column(ColumnSet set, std::string_view name) {
  return site_index(set).find(name);
}

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
    if (!draw_seen[i] && !table[i].optional) report(table[i].name);
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
