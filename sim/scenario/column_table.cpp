#include "sim/scenario/column_table.hpp"

#include <cmath>
#include <unordered_map>

#include "sim/base/error.hpp"
#include "sim/scenario/dated_columns.hpp"

namespace gridcast::scenario {
namespace {

bool is_index(double value, double size) {
  return value >= 0 && value < size && value == std::floor(value);
}

constexpr DrawColumn table_draw_columns[] = {
    {"stall_scope", Allowed::scope,
     [](ParameterDraw& w, double v) {
       w.stall.scope = static_cast<StallScope>(static_cast<int>(v));
     }},
    {"stall_bad_fraction", Allowed::probability,
     [](ParameterDraw& w, double v) { w.stall.bad_fraction = v; }},
    {"stall_bad_duration_s", Allowed::positive,
     [](ParameterDraw& w, double v) { w.stall.bad_duration = Seconds(v); }},
    {"stall_when_bad", Allowed::probability,
     [](ParameterDraw& w, double v) { w.stall.stall_when_bad = v; }},
    {"stall_when_quiet", Allowed::probability,
     [](ParameterDraw& w, double v) { w.stall.stall_when_quiet = v; }},
    {"slow_before_stall", Allowed::probability,
     [](ParameterDraw& w, double v) { w.stall.slow_before_stall = v; }},
    {"slow_duration_s", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.stall.slow_duration = Seconds(v); }},
    {"pause", Allowed::probability, [](ParameterDraw& w, double v) { w.stall.pause = v; }, true},
    {"pause_duration_s", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.stall.pause_duration = Seconds(v); }, true},
    {"rate_noise", Allowed::not_negative, [](ParameterDraw& w, double v) { w.rate_noise = v; }},
    {"hold_on_failure", Allowed::probability,
     [](ParameterDraw& w, double v) { w.hold_on_failure = v; }},
    {"spurious_404", Allowed::probability, [](ParameterDraw& w, double v) { w.spurious_404 = v; }},
    {"not_found_per_start", Allowed::probability,
     [](ParameterDraw& w, double v) { w.not_found.per_start = v; }},
    {"not_found_mean_hits", Allowed::at_least_one,
     [](ParameterDraw& w, double v) { w.not_found.mean_hits = v; }},
    {"network_down_per_start", Allowed::probability,
     [](ParameterDraw& w, double v) { w.network_down.per_start = v; }},
    {"network_down_mean_hits", Allowed::at_least_one,
     [](ParameterDraw& w, double v) { w.network_down.mean_hits = v; }},
    {"corrupt_input", Allowed::probability,
     [](ParameterDraw& w, double v) { w.corrupt_input = v; }},
    {"corrupt_execution_s", Allowed::not_negative,
     [](ParameterDraw& w, double v) { w.corrupt_execution = Seconds(v); }},
    {"release_transfer_hold", Allowed::probability,
     [](ParameterDraw& w, double v) { w.release_transfer_hold = v; }},
    {"release_other_hold", Allowed::probability,
     [](ParameterDraw& w, double v) { w.release_other_hold = v; }},
    {"release_delay_mean_s", Allowed::positive,
     [](ParameterDraw& w, double v) {
       w.release_delay = {Family::exponential, 1, v, 0};
     }},
    {"overhead_shape", Allowed::positive, [](ParameterDraw& w, double v) { w.overhead.shape = v; }},
    {"overhead_scale_s", Allowed::positive,
     [](ParameterDraw& w, double v) {
       w.overhead.family = Family::gamma;
       w.overhead.scale = v;
     }},
    {"http_abort", Allowed::probability, [](ParameterDraw& w, double v) { w.http_abort = v; }},
};

constexpr SiteColumn table_site_columns[] = {
    {"gpus", Allowed::count,
     [](SiteNumbers const& s, double v) { s.of_job_table->gpus = static_cast<int>(v); }},
    {"unpack_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_job_table->unpack = Seconds(v); }},
    {"epoch_family", Allowed::family,
     [](SiteNumbers const& s, double v) {
       s.of_job_table->epoch.family = static_cast<Family>(static_cast<int>(v));
     }},
    {"epoch_shape", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.of_job_table->epoch.shape = v; }},
    {"epoch_scale_s", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.of_job_table->epoch.scale = v; }},
    {"epoch_shift_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_job_table->epoch.shift = v; }},
    {"stream_limit_Bps", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.of_job_table->stream_limit = BytesPerSecond(v); }},
    {"link_capacity_Bps", Allowed::positive,
     [](SiteNumbers const& s, double v) { s.of_job_table->link_capacity = BytesPerSecond(v); }},
    {"pilot_kill_per_s", Allowed::not_negative,
     [](SiteNumbers const& s, double v) { s.of_job_table->pilot_kill_per_second = v; }},
};

template <class Column>
using Index = std::unordered_map<std::string_view, Column const*>;

template <class Column>
Index<Column> make_index(std::span<Column const> table) {
  Index<Column> index;
  for (Column const& column : table) index.emplace(column.name, &column);
  return index;
}

template <class Column>
Column const* find(Index<Column> const& index, std::string_view name) {
  auto const found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace

bool holds(Allowed allowed, double value) {
  if (!std::isfinite(value)) return false;
  switch (allowed) {
    case Allowed::probability:
      return value >= 0 && value <= 1;
    case Allowed::positive:
      return value > 0;
    case Allowed::not_negative:
      return value >= 0;
    case Allowed::at_least_one:
      return value >= 1;
    case Allowed::count:
      return is_index(value, 1e9);
    case Allowed::scope:
      return is_index(value, 3);
    case Allowed::family:
      return is_index(value, static_cast<double>(all_families().size()));
  }
  throw InternalError("every kind of number is known");
}

std::string_view description(Allowed allowed) {
  switch (allowed) {
    case Allowed::probability:
      return "a probability, 0 to 1";
    case Allowed::positive:
      return "a finite number above 0";
    case Allowed::not_negative:
      return "a finite number, 0 or more";
    case Allowed::at_least_one:
      return "a finite number, 1 or more";
    case Allowed::count:
      return "a whole number, 0 or more";
    case Allowed::scope:
      return "0 (origin), 1 (cache) or 2 (path)";
    case Allowed::family:
      return "0 (exponential), 1 (weibull), 2 (gamma), 3 (lognormal) or 4 (loglogistic)";
  }
  throw InternalError("every kind of number is known");
}

std::span<DrawColumn const> draw_columns(ColumnSet set) {
  if (set == ColumnSet::event_log) return event_log_columns_of_draw();
  return table_draw_columns;
}

std::span<SiteColumn const> site_columns(ColumnSet set) {
  if (set == ColumnSet::event_log) return event_log_columns_of_sites();
  return table_site_columns;
}

DrawColumn const* find_draw_column(ColumnSet set, std::string_view name) {
  static Index<DrawColumn> const indices[] = {make_index(draw_columns(ColumnSet::job_table)),
                                              make_index(draw_columns(ColumnSet::event_log))};
  return find(indices[static_cast<std::size_t>(set)], name);
}

SiteColumn const* find_site_column(ColumnSet set, std::string_view name) {
  static Index<SiteColumn> const indices[] = {make_index(site_columns(ColumnSet::job_table)),
                                              make_index(site_columns(ColumnSet::event_log))};
  return find(indices[static_cast<std::size_t>(set)], name);
}

}  // namespace gridcast::scenario
