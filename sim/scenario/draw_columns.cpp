#include "sim/scenario/draw_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::scenario {
namespace {

using Draw = ParameterDraw;
using Outages = OutageParameters;
using Shock = ShockParameters;
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
      {"a number above 0, or inf", 0, std::numeric_limits<double>::infinity(), true},
      {"a finite number, 0 or more"},
      {"a finite number, 1 or more", 1},
      {"a number from -1000 to 1000", -1000, 1000},
      {"a whole number from 0 to 10000000", 0, 1e7, false, true},
      {"0 (origin), 1 (cache), 2 (path), 3 (node), 4 (uplink) or 5 (none)", 0, 5, false, true},
      {"0 (dead) or 1 (slow)", 0, 1, false, true},
      {"0 (exponential), 1 (weibull), 2 (gamma), 3 (lognormal) or 4 (loglogistic)", 0, families - 1,
       false, true},
  };
  return numbers[static_cast<std::size_t>(allowed)];
}

void set_overhead_scale(Draw& draw, double scale) {
  draw.teardown.family = Family::gamma;
  draw.teardown.scale = scale;
}

// The sites are there before their columns are read.
void set_rate_noise(Draw& draw, double sigma) {
  for (auto& [name, site] : draw.sites) site.rate_sigma = sigma;
}

std::vector<DrawColumn> transfer_columns() {
  using enum Allowed;
  return {
      {"outage_scope", scope, in_draw<&Draw::outages, &Outages::scope>,
       "Scope of bad periods: 0 origin, 1 cache, 2 path of a slot to a cache, 3 node, 4 uplink of "
       "a site, 5 none"},
      {"outage_kind", kind, in_draw<&Draw::outages, &Outages::kind>,
       "0 dead: no byte comes; 1 slow: bytes come at slow_fraction of the rate"},
      {"stall_bad_fraction", probability, in_draw<&Draw::outages, &Outages::bad_fraction>,
       "Share of time that an origin, cache, path, node or uplink is bad"},
      {"stall_bad_duration_s", not_negative, in_draw<&Draw::outages, &Outages::bad_duration>,
       "Mean length of a bad period, s"},
      {"stall_when_bad", probability, in_draw<&Draw::outages, &Outages::stall_when_bad>,
       "Probability that a try that starts in a bad period is hit"},
      {"stall_when_quiet", probability, in_draw<&Draw::outages, &Outages::stall_when_quiet>,
       "The same of any other try"},
      {"slow_fraction", probability, in_draw<&Draw::outages, &Outages::slow_fraction>,
       "Share of its rate that a slow transfer has left"},
      {"luck_holds_s", not_negative, in_draw<&Draw::outages, &Outages::luck_holds>,
       "For how long a job's draw at a bad cache is the same, s; 0: each try has its own"},
      {"next_cache_dependence", probability,
       in_draw<&Draw::outages, &Outages::next_cache_dependence>,
       "Probability that after a try that was hit the next cache's is hit too, for any draw of "
       "its own"},
      {"slow_before_stall", probability, in_draw<&Draw::outages, &Outages::slow_before_stall>,
       "Share of dead tries that are slow first"},
      {"slow_duration_s", not_negative, in_draw<&Draw::outages, &Outages::slow_duration>,
       "How long they are slow on average, s"},
      {"pause", probability, in_draw<&Draw::outages, &Outages::pause>,
       "Share of the other tries that stop for a while and then go on"},
      {"pause_duration_s", not_negative, in_draw<&Draw::outages, &Outages::pause_duration>,
       "How long they stop on average, s"},
      {"rate_noise", not_negative, set_rate_noise, "rate_sigma of every site"},
      {"url_failed_after", probability, in_draw<&Draw::url_failed_after>,
       "Share of its time after which a URL that fails does so"},
      {"hold_on_failure", probability, in_draw<&Draw::hold_on_failure>,
       "Probability that a failed plugin holds the job (on_transfer_failure: recorded)"},
      {"hold_on_stall", probability, in_draw<&Draw::hold_on_stall>,
       "The same of a transfer that the starter's timer ended"},
      {"permanent_failure", probability, in_draw<&Draw::permanent_failure>,
       "Share of failed plugins whose error is permanent (hold subcode 256): held at once where "
       "others cool down"},
      {"spurious_404", probability, in_draw<&Draw::spurious_404>,
       "Probability that an attempt meets a single 404"},
      {"not_found_per_start", probability, in_draw<&Draw::not_found, &Shock::per_start>,
       "Probability that a job's first start sets off a time in which the namespace answers 404"},
      {"not_found_mean_hits", at_least_one, in_draw<&Draw::not_found, &Shock::mean_hits>,
       "Mean number of consecutive starts that it hits, if not_found_lasts_s is 0"},
      {"not_found_lasts_s", not_negative, in_draw<&Draw::not_found, &Shock::lasts>,
       "How long it lasts on average, all starts being hit, s; 0: its length is counted in starts"},
      {"http_abort", probability, in_draw<&Draw::http_abort>,
       "Probability that a direct download is aborted for lack of progress"},
  };
}

template <std::size_t which, auto member>
void in_work_kind(Draw& draw, double value) {
  put(draw.work_kinds[which].*member, value);
}

template <std::size_t which>
void add_work_kind(std::vector<DrawColumn>& columns) {
  using enum Allowed;
  std::string const name = fmt::format("work_kind_{}_", which + 1);
  columns.push_back({name + "share", probability, in_work_kind<which, &WorkKind::share>,
                     fmt::format("Share of the jobs that are of kind {}, whose work is around one "
                                 "value; no shares: ln(work) of all jobs is normal",
                                 which + 1)});
  columns.push_back({name + "center", deviation, in_work_kind<which, &WorkKind::center>,
                     "ln(median of their work / work_s), in units of job_sigma"});
  columns.push_back({name + "sigma", not_negative, in_work_kind<which, &WorkKind::sigma>,
                     "Standard deviation of their ln(work), in units of job_sigma"});
}

std::vector<DrawColumn> work_kind_columns() {
  std::vector<DrawColumn> columns;
  [&]<std::size_t... which>(std::index_sequence<which...>) { (add_work_kind<which>(columns), ...); }
  (std::make_index_sequence<most_work_kinds>());
  return columns;
}

std::vector<DrawColumn> execution_columns() {
  using enum Allowed;
  return {
      {"work_s", positive, in_draw<&Draw::work>,
       "Computing of the median job at speed 1, all epochs, s"},
      {"job_sigma", not_negative, in_draw<&Draw::job_sigma>,
       "Standard deviation of ln(work) between jobs"},
      {"execution_sigma", not_negative, in_draw<&Draw::execution_sigma>,
       "Standard deviation of ln(work) between executions of a job"},
      {"gpu_scaling", not_negative, in_draw<&Draw::gpu_scaling>,
       "Speed grows as the number of a job's GPUs to this power"},
      {"crash_at_a", positive, in_draw<&Draw::crash_at_a>,
       "The share of the rest of an execution at which a crash comes is Beta(crash_at_a, "
       "crash_at_b); 1 and 1: anywhere"},
      {"crash_at_b", positive, in_draw<&Draw::crash_at_b>, "See crash_at_a"},
      {"crash_of_job", probability, in_draw<&Draw::crash_of_job>,
       "Probability that a job crashes at each of its executions, wherever they are"},
      {"network_down_per_start", probability, in_draw<&Draw::network_down, &Shock::per_start>,
       "Probability that a job's first execution at a site sets off a time without outbound "
       "network there"},
      {"network_down_mean_hits", at_least_one, in_draw<&Draw::network_down, &Shock::mean_hits>,
       "Mean number of consecutive executions that it hits, if network_down_lasts_s is 0"},
      {"network_down_lasts_s", not_negative, in_draw<&Draw::network_down, &Shock::lasts>,
       "How long it lasts on average, all executions being hit, s; 0: its length is counted in "
       "executions"},
      {"corrupt_input", probability, in_draw<&Draw::corrupt_input>,
       "Probability that the archive does not unpack"},
      {"corrupt_execution_s", not_negative, in_draw<&Draw::corrupt_execution>,
       "How long such an execution takes, s"},
      {"access_point_down_per_s", not_negative, in_draw<&Draw::access_point_down_per_second>,
       "Hazard that the access point goes down, and all running jobs lose contact at once, 1/s"},
      {"access_point_down_s", not_negative, in_draw<&Draw::access_point_down>,
       "How long it is down on average, s"},
      {"suspension_s", not_negative, in_draw<&Draw::suspension>, "Mean length of a suspension, s"},
      {"pilot_replacement_s", not_negative, in_draw<&Draw::pilot_replacement>,
       "Mean time from a pilot's end to the next one, s"},
      {"overhead_shape", positive, in_draw<&Draw::teardown, &Distribution::shape>,
       "Shape of the gamma time from the exit until the slot is free"},
      {"overhead_scale_s", positive, set_overhead_scale, "Its scale, s"},
  };
}

void set_release_delay(Draw& draw, double mean) {
  draw.release_delay = {Family::exponential, 1, mean, 0};
}

void set_release(Draw& draw, double probability) {
  draw.release_transfer_hold = draw.release_other_hold = probability;
  draw.release_limit_hold = draw.release_resource_hold = {};
}

void set_remove(Draw& draw, double probability) {
  draw.remove_transfer_hold = draw.remove_other_hold = probability;
  draw.remove_limit_hold = draw.remove_resource_hold = {};
}

std::vector<DrawColumn> people_columns() {
  using enum Allowed;
  return {
      {"release", probability, set_release, "release_transfer_hold and release_other_hold at once"},
      {"removal_per_s", not_negative, in_draw<&Draw::removal_per_second>,
       "Hazard that the owner steps in while jobs are in the queue, and removes some, 1/s"},
      {"removal_share_a", positive, in_draw<&Draw::removal_share_a>,
       "Each job in the queue is then removed with a probability that is "
       "Beta(removal_share_a, removal_share_b), drawn each time"},
      {"removal_share_b", positive, in_draw<&Draw::removal_share_b>, "See removal_share_a"},
      {"removal_queue", count, in_draw<&Draw::removal_queue>,
       "If there are more jobs in the queue than that, no more are removed"},
      {"release_transfer_hold", probability, in_draw<&Draw::release_transfer_hold>,
       "Probability that people release a job held for a failed transfer"},
      {"release_other_hold", probability, in_draw<&Draw::release_other_hold>,
       "The same for any other reason"},
      {"release_limit_hold", probability, in_draw<&Draw::release_limit_hold>,
       "The same for a limit of time, where it is not release_other_hold"},
      {"release_resource_hold", probability, in_draw<&Draw::release_resource_hold>,
       "The same for memory or disk, where it is not release_other_hold"},
      {"remove_hold", probability, set_remove,
       "remove_transfer_hold and remove_other_hold at once"},
      {"remove_transfer_hold", probability, in_draw<&Draw::remove_transfer_hold>,
       "Probability that people remove a job held for a failed transfer, if they do not release "
       "it; "
       "otherwise it stays held"},
      {"remove_other_hold", probability, in_draw<&Draw::remove_other_hold>,
       "The same for any other reason"},
      {"remove_limit_hold", probability, in_draw<&Draw::remove_limit_hold>,
       "The same for a limit of time, where it is not remove_other_hold"},
      {"remove_resource_hold", probability, in_draw<&Draw::remove_resource_hold>,
       "The same for memory or disk, where it is not remove_other_hold"},
      {"release_delay_mean_s", positive, set_release_delay,
       "Mean time from hold to release, exponential, s"},
      {"most_holds", count, in_draw<&Draw::most_holds>, "A job held so often is removed instead"},
  };
}

void add_people_times(std::vector<DrawColumn>& columns) {
  add_times<&Draw::release_delay>(columns, "release_delay", "from hold to release, or to removal");
  add_some_times<&Draw::release_other_delay>(
      columns, "release_other_delay",
      "from hold to release where not for a failed transfer, if it differs");
  add_some_times<&Draw::remove_delay>(columns, "remove_delay",
                                      "from hold to removal, if it differs");
}

std::vector<DrawColumn> all_draw_columns() {
  using enum Allowed;
  std::vector<DrawColumn> columns;
  for (auto const& part :
       {transfer_columns(), execution_columns(), work_kind_columns(), people_columns()}) {
    columns.insert(columns.end(), part.begin(), part.end());
  }
  add_some_times<&Draw::match_delay>(columns, "match_delay",
                                     "from a free slot and an idle job to the shadow's start, "
                                     "instead of negotiation cycles");
  add_times<&Draw::plugin_start>(
      columns, "plugin_start", "from the start of an input transfer by a plugin to its first URL");
  add_times<&Draw::setup>(columns, "setup",
                          "from the shadow's start to the execution, less the input");
  columns.push_back({"unlisted_wait_s", not_negative, in_draw<&Draw::unlisted_wait>,
                     "Beyond that, of jobs without transfer_output_files, s"});
  add_times<&Draw::teardown>(columns, "teardown", "from the exit until the slot is free");
  add_times<&Draw::checkpoint>(columns, "checkpoint", "to store a checkpoint");
  add_times<&Draw::requeue_delay>(columns, "requeue_delay",
                                  "from a lost attempt until the job is idle");
  add_people_times(columns);
  add_times<&Draw::reconnect_delay>(columns, "reconnect_delay",
                                    "from losing contact to finding the job again");
  columns.push_back(
      {"evicted_for_good", probability, in_draw<&Draw::evicted_for_good>,
       "Probability that a job whose slot the site takes away is over, and not queued "
       "again"});
  columns.push_back({"lost_for_good", probability, in_draw<&Draw::lost_for_good>,
                     "The same of a job whose node or pilot is lost"});
  columns.push_back({"stop_of_job", probability, in_draw<&Draw::stop_of_job>,
                     "Probability that a limit of the slot stops a job whenever it executes for "
                     "so long (stop_after_s of the site), wherever that is"});
  columns.push_back(
      {"stopped_for_good", probability, in_draw<&Draw::stopped_for_good>,
       "Probability that a job which a limit of memory, disk or time stops is over, and neither "
       "held nor queued again; jobs stopped by a submit file's allowed_execute_duration are held"});
  columns.push_back(
      {"files_lost", probability, in_draw<&Draw::files_lost>,
       "Probability that an execution which its own shadow finds again brings no file "
       "home, and is evicted in the end"});
  add_times<&Draw::output_try>(
      columns, "output_try",
      "that such a job takes for each of five tries to bring its files home");
  return columns;
}

std::vector<SiteColumn> all_site_columns() {
  using enum Allowed;
  return {
      {"gpus", count, at_site<&Site::gpus>, "GPUs that pilots hold at a time"},
      {"slots", count, at_site<&Site::slots>,
       "Slots that pilots offer at a time, where GPUs are not counted and the pool has no number "
       "of "
       "its own"},
      {"away_per_s", not_negative, at_site<&Site::away_per_second>,
       "Hazard that a site which takes jobs stops to, 1/s"},
      {"back_per_s", not_negative, at_site<&Site::back_per_second>,
       "Hazard that it takes them again, 1/s; 0: it never is away"},
      {"pilot_kill_per_s", not_negative, at_site<&Site::pilot_kill_per_second>,
       "Hazard that the site ends a pilot before its walltime, 1/s"},
      {"pilot_death_per_s", not_negative, at_site<&Site::pilot_death_per_second>,
       "Hazard of all ends of a pilot, without a word and instead of walltimes, 1/s"},
      {"pilot_life_s", not_negative, at_site<&Site::pilot_life>,
       "Age at which pilots end that have not ended before, median, s, where pilot_death_per_s is "
       "given; 0: none does"},
      {"pilot_life_sigma", not_negative, at_site<&Site::pilot_life_sigma>,
       "Standard deviation of its logarithm"},
      {"pilot_life_told", probability, at_site<&Site::pilot_life_told>,
       "Probability that a pilot which ends so reports it; else its jobs' leases show it"},
      {"latency_s", not_negative, at_site<&Site::latency>,
       "Part of a URL's time that does not depend on its size, s"},
      {"stream_limit_Bps", capacity, at_site<&Site::stream_limit>, "Rate of a transfer alone, B/s"},
      {"rate_sigma", not_negative, at_site<&Site::rate_sigma>,
       "Standard deviation of ln(time of a URL) between tries"},
      {"link_capacity_Bps", capacity, at_site<&Site::link_capacity>,
       "Rate that the site's transfers share, B/s; inf: no limit"},
      {"node_capacity_Bps", capacity, at_site<&Site::node_capacity>,
       "Rate that the transfers of a node's slots share, B/s; inf: no limit"},
      {"slots_per_node", count, at_site<&Site::slots_per_node>,
       "Slots that share a node; 0: those of a pilot"},
      {"cold_share", probability, at_site<&Site::cold_share>,
       "Share of the tries at a cache that lacks the file, and fetches it at cold_limit_Bps"},
      {"cold_limit_Bps", capacity, at_site<&Site::cold_limit>,
       "Rate of a transfer from such a cache alone, B/s"},
      {"cold_sigma", not_negative, at_site<&Site::cold_sigma>,
       "Standard deviation of ln(time of a URL) between tries at such caches"},
      {"url_failure", probability, at_site<&Site::url_failure>,
       "Probability that the plugin gives up on a URL"},
      {"url_hang", probability, at_site<&Site::url_hang>,
       "Probability that no byte of a URL ever comes"},
      {"unpack_s", not_negative, at_site<&Site::unpack>, "Before the work, at each execution, s"},
      {"epoch_family", family, at_site<&Site::epoch, &Distribution::family>,
       "Family of the time of an epoch: 0 exponential, 1 weibull, 2 gamma, 3 lognormal, 4 "
       "loglogistic"},
      {"epoch_shape", positive, at_site<&Site::epoch, &Distribution::shape>, "Its shape"},
      {"epoch_scale_s", positive, at_site<&Site::epoch, &Distribution::scale>, "Its scale, s"},
      {"epoch_shift_s", not_negative, at_site<&Site::epoch, &Distribution::shift>,
       "Constant added to it, s"},
      {"speed", positive, at_site<&Site::speed>, "Work done in a second, where work_s is given"},
      {"crash", probability, at_site<&Site::crash>, "Probability that an execution crashes"},
      {"hang", probability, at_site<&Site::hang>,
       "Probability that an execution never ends by itself"},
      {"output_failure", probability, at_site<&Site::output_failure>,
       "Probability that the files of an execution that is done do not come back, and the job is "
       "held (12)"},
      {"stop", probability, at_site<&Site::stop>,
       "Probability that a limit of the slot stops an execution at stop_after_s"},
      {"stop_after_s", not_negative, at_site<&Site::stop_after>,
       "Median of that moment, from the execution's start, s"},
      {"stop_sigma", not_negative, at_site<&Site::stop_sigma>,
       "Standard deviation of its logarithm"},
      {"stop_per_s", not_negative, at_site<&Site::stop_per_second>,
       "Hazard that a limit of the slot stops an execution at any time, 1/s"},
      {"stop_holds", probability, at_site<&Site::stop_holds>,
       "Probability that a job which is so stopped is held; else it is idle again"},
      {"gpus_of_speed", count, at_site<&Site::gpus_of_speed>,
       "GPUs of a job that speed is for; 0: any number"},
      {"evict_per_s", not_negative, at_site<&Site::evict_per_second>,
       "Hazard that a claimed slot is vacated, 1/s"},
      {"evict_after_s", not_negative, at_site<&Site::evict_after>,
       "Time after which a claimed slot is vacated at the latest, median, s; 0: it is not"},
      {"evict_sigma", not_negative, at_site<&Site::evict_sigma>,
       "Standard deviation of its logarithm"},
      {"disconnect_per_s", not_negative, at_site<&Site::disconnect_per_second>,
       "Hazard that contact is lost, 1/s"},
      {"reconnect", probability, at_site<&Site::reconnect>,
       "Probability that a disconnected job is found again"},
      {"suspend_per_s", not_negative, at_site<&Site::suspend_per_second>,
       "Hazard that a job is suspended, 1/s"},
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

Index<DrawColumn> const& draw_index() {
  static Index const index(all_draw_columns());
  return index;
}

Index<SiteColumn> const& site_index_of_columns() {
  static Index const index(all_site_columns());
  return index;
}

std::vector<std::string> known_names(bool of_sites) {
  std::vector<std::string> names;
  if (of_sites) {
    for (SiteColumn const& column : site_columns()) names.push_back(column.name);
  } else {
    for (DrawColumn const& column : draw_columns()) names.push_back(column.name);
  }
  return names;
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

/// The place is the reader's to know.
Problem problem(std::string what, std::string why, std::string hint = "") {
  Problem problem;
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.hint = std::move(hint);
  return problem;
}

Problem unknown(std::string const& name, ColumnName const& parts) {
  return problem(fmt::format("unknown parameter '{}'", name),
                 parts.of_site ? "no such parameter of a site" : "no such parameter of a draw",
                 suggestion(parts.key, known_names(parts.of_site)));
}

}  // namespace

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

// A missing process does not happen; but slots and something to compute are needed.
void DrawLayout::find_missing() {
  auto const given = [this](std::string const& name) {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  };
  auto const report = [this](std::string const& what, char const* why) {
    missing_.push_back(problem(fmt::format("parameter {} is missing", what), why));
  };
  if (sites_.empty()) missing_.push_back(problem("no site has parameters", "jobs run at sites"));
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
      problems.push_back({i, problem(fmt::format("{} = {} is out of range", names_[i], row[i]),
                                     fmt::format("it has to be {}", description(allowed)))});
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
    problems.push_back(problem(fmt::format("{} numbers for {} columns", row.size(), columns.size()),
                               "a row has one number a column"));
  }
  for (ColumnProblem& of_column : found) problems.push_back(std::move(of_column.problem));
  if (!problems.empty()) throw InputError(std::move(problems));
  return draw;
}

}  // namespace gridcast::scenario
