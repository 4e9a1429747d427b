#include "sim/optimize/knob.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::optimize {
namespace {

/// The nearest of 1, 1.05, ..., 2, 2.1, ..., 10 times a power of ten.
double readable(double value) {
  double const power = std::pow(10, std::floor(std::log10(value) + 1e-12));
  double const steps = value / power < 2 ? 20 : 10;
  // A quotient of whole numbers is the number that a person writes.
  double const whole = std::round(value / power * steps);
  return power < 1 ? whole / (steps / power) : whole * power / steps;
}

double to_share(Dimension const& dimension, double value) {
  if (dimension.high <= dimension.low) return 0;
  if (dimension.scale == Scale::logarithmic) {
    return std::log(value / dimension.low) / std::log(dimension.high / dimension.low);
  }
  return (value - dimension.low) / (dimension.high - dimension.low);
}

double from_share(Dimension const& dimension, double share) {
  if (dimension.scale == Scale::logarithmic) {
    return dimension.low * std::pow(dimension.high / dimension.low, share);
  }
  return dimension.low + share * (dimension.high - dimension.low);
}

/// The current strategy with the first `count` knobs at the point's values.
scenario::Strategy with_knobs(std::vector<Knob> const& knobs, scenario::Strategy const& current,
                              Point const& point, std::size_t count) {
  scenario::Strategy strategy = current;
  for (std::size_t i = 0; i < count; ++i) {
    if (knobs[i].applies && !knobs[i].applies(strategy)) continue;
    if (knobs[i].get(strategy) != point[i]) knobs[i].set(strategy, point[i]);
  }
  return strategy;
}

SearchSpace space_of(std::vector<Knob> const& knobs, scenario::Strategy const& current) {
  std::vector<Dimension> dimensions;
  Point start;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    Knob const& knob = knobs[i];
    Dimension dimension{knob.key, knob.scale, knob.low, knob.high, knob.usual, knob.can_be_off};
    if (knob.applies) {
      dimension.applies = [knobs, current, i](Point const& point) {
        return knobs[i].applies(with_knobs(knobs, current, point, i));
      };
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (knobs[k].key == knob.with) dimension.with = k;
    }
    dimensions.push_back(std::move(dimension));
    start.push_back(knob.get(current));
  }
  return {std::move(dimensions), std::move(start)};
}

using scenario::JobPolicy;
using scenario::ReleaseStrategy;
using scenario::RetryStrategy;
using scenario::Scenario;
using scenario::Strategy;
using scenario::TrainingStrategy;
using scenario::TransferStrategy;

constexpr double minute = 60, hour = 3600, day = 86400;

/// A choice between the current value (0) and one other (1).
Knob switch_knob(std::string key, std::vector<Party> parties, std::vector<std::string> words,
                 std::function<bool(Strategy const&)> is_on, std::function<void(Strategy&)> turn_on,
                 std::function<void(Strategy&)> turn_off) {
  Knob knob{std::move(key), std::move(parties), Scale::choice, Unit::word, 0, 1};
  knob.words = std::move(words);
  knob.get = [is_on](Strategy const& strategy) { return is_on(strategy) ? 1 : 0; };
  knob.set = [turn_on, turn_off](Strategy& strategy, std::optional<double> value) {
    (value.value_or(0) > 0 ? turn_on : turn_off)(strategy);
  };
  return knob;
}

/// Zero of the strategy's field is off.
Knob off_at_zero(Knob knob) {
  knob.can_be_off = true;
  knob.get = [get = knob.get](Strategy const& strategy) {
    auto const value = get(strategy);
    return value && *value > 0 ? value : std::nullopt;
  };
  return knob;
}

bool asks_caches(Strategy const& strategy) {
  return strategy.transfer.protocol == scenario::Protocol::osdf &&
         strategy.transfer.on_stall == scenario::OnStall::next_cache;
}

bool has_timer(Strategy const& strategy) {
  return strategy.transfer.stall_timer != scenario::StallTimer::never;
}

bool cools_down(Strategy const& strategy) {
  return strategy.retry.on_transfer_failure == scenario::OnTransferFailure::cool_down;
}

bool releases(Strategy const& strategy) {
  return strategy.release.transfer_holds_after.has_value();
}

/// The client's default, Client.StoppedTransferTimeout, or less: it asks several caches before the
/// starter's timer ends them all.
Seconds usual_client_timeout(Strategy const& strategy) {
  constexpr Seconds usual(100);
  constexpr double tries = 5;
  return has_timer(strategy) ? std::min(usual, strategy.transfer.stall_timeout / tries) : usual;
}

void ask_next_cache(Strategy& strategy) {
  auto& transfer = strategy.transfer;
  transfer.on_stall = scenario::OnStall::next_cache;
  if (transfer.client_timeout > Seconds()) return;
  transfer.client_timeout = usual_client_timeout(strategy);
}

std::vector<Knob> stall_timer_knobs() {
  std::vector<Knob> knobs;
  knobs.push_back(switch_knob(
      "transfer.stall_timer", {Party::site}, {"as it is", "never"},
      [](Strategy const& strategy) { return !has_timer(strategy); },
      [](Strategy& strategy) { strategy.transfer.stall_timer = scenario::StallTimer::never; },
      [](Strategy&) {}));
  knobs.back().offered = [](Scenario const&, Strategy const& current) {
    return has_timer(current);
  };
  knobs.push_back(number_knob<&Strategy::transfer, &TransferStrategy::stall_timeout>(
      "transfer.stall_timeout", {Party::site}, minute, 6 * hour, hour));
  knobs.back().applies = has_timer;
  return knobs;
}

std::vector<Knob> transfer_knobs(Seconds usual_timeout) {
  constexpr auto transfer = &Strategy::transfer;
  // A cache has 10 s to answer (Pelican's Transport.ResponseHeaderTimeout), and may have to fetch
  // the object first.
  double const shortest_timeout = std::min(10.0, usual_timeout.value());
  std::vector<Knob> knobs = stall_timer_knobs();
  knobs.push_back(switch_knob(
      "transfer.on_stall", {Party::owner, Party::site}, {"requeue", "next_cache"}, asks_caches,
      ask_next_cache,
      [](Strategy& strategy) { strategy.transfer.on_stall = scenario::OnStall::requeue; }));
  knobs.back().offered = [](Scenario const&, Strategy const& current) {
    return current.transfer.protocol == scenario::Protocol::osdf && !asks_caches(current);
  };
  knobs.push_back(off_at_zero(number_knob<transfer, &TransferStrategy::client_timeout>(
      "transfer.client_timeout", {Party::owner, Party::site}, shortest_timeout, hour,
      usual_timeout.value())));
  knobs.back().can_be_off = false;
  knobs.back().applies = asks_caches;
  knobs.push_back(switch_knob(
      "transfer.resume", {Party::owner, Party::site}, {"no", "yes"},
      [](Strategy const& strategy) { return strategy.transfer.resume; },
      [](Strategy& strategy) { strategy.transfer.resume = true; },
      [](Strategy& strategy) { strategy.transfer.resume = false; }));
  knobs.back().applies = asks_caches;
  knobs.push_back(off_at_zero(number_knob<transfer, &TransferStrategy::most_at_a_time>(
      "transfer.most_at_a_time", {Party::site}, 1, 20, 4)));
  knobs.push_back(number_knob<transfer, &TransferStrategy::max_shadow_exceptions>(
      "transfer.max_shadow_exceptions", {Party::access_point}, 1, 10, 2));
  return knobs;
}

void start_cooling(Strategy& strategy) {
  strategy.retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  if (strategy.retry.delay_max > Seconds()) return;
  strategy.retry.delay_min = minutes(5);  // FEATURE:PelicanRetryPolicy
  strategy.retry.delay_max = minutes(10);
}

std::vector<Knob> cool_down_knobs() {
  std::vector<Knob> knobs;
  knobs.push_back(switch_knob("retry.on_transfer_failure", {Party::access_point},
                              {"as it is", "cool_down"}, cools_down, start_cooling,
                              [](Strategy&) {}));
  knobs.back().offered = [](Scenario const&, Strategy const& current) {
    return !cools_down(current);
  };
  Knob delay{"retry.delay", {Party::access_point}, Scale::logarithmic, Unit::time, minute, 2 * hour,
             5 * minute};
  delay.get = [](Strategy const& strategy) { return strategy.retry.delay_min.value(); };
  delay.set = [](Strategy& strategy, std::optional<double> value) {
    strategy.retry.delay_min = Seconds(value.value_or(0));
    strategy.retry.delay_max = 2 * strategy.retry.delay_min;  // as the feature draws it
  };
  delay.applies = cools_down;
  knobs.push_back(delay);
  knobs.push_back(number_knob<&Strategy::retry, &RetryStrategy::times>(
      "retry.times", {Party::access_point}, 1, 20, 4));
  knobs.back().applies = cools_down;
  return knobs;
}

/// A number or a time of the job's policy.
template <auto member>
Knob policy_knob(std::string key, Party party, double low, double high, double usual) {
  return number_knob<&Strategy::retry, &RetryStrategy::policy, member>(std::move(key), {party}, low,
                                                                       high, usual);
}

std::vector<Knob> retry_knobs() {
  std::vector<Knob> knobs = {
      policy_knob<&JobPolicy::max_retries>("retry.max_retries", Party::owner, 0, 10, 3)};
  knobs.push_back(number_knob<&Strategy::release, &ReleaseStrategy::transfer_holds_after>(
      "release.transfer_holds_after", {Party::owner}, minute, 12 * hour, 20 * minute));
  // A client that has asked all its caches fails, not the timer.
  knobs.back().with = "transfer.on_stall";
  knobs.push_back(number_knob<&Strategy::release, &ReleaseStrategy::times>(
      "release.times", {Party::owner}, 1, 30, 10));
  knobs.back().applies = releases;
  return knobs;
}

/// The request of jobs whose need of the resource is known, in the command's unit, and the request
/// after an attempt that needed more. `name`: "Memory".
template <JobPolicy::Rule JobPolicy::*first, JobPolicy::Rule JobPolicy::*next>
std::vector<Knob> request_knobs(std::string const& name, std::vector<Bytes> const& needs,
                                Bytes requested, Bytes unit) {
  double const request = requested / unit;
  if (needs.empty() || !(request > 0)) return {};
  constexpr double room = 1.25;
  double const largest = room * std::max(request, needs.back() / unit);
  double const smallest = std::clamp(needs.front() / unit, 1.0, request);
  Knob knob{"retry.request_" + lower(name),
            {Party::owner},
            Scale::logarithmic,
            Unit::number,
            smallest,
            largest,
            request};
  knob.get = [request](Strategy const& strategy) {
    auto const& rule = strategy.retry.policy.*first;
    return rule ? std::stod(rule->text()) : request;
  };
  knob.set = [request](Strategy& strategy, std::optional<double> value) {
    auto& rule = strategy.retry.policy.*first;
    rule.reset();
    if (value && *value != request) rule = classad::parse(fmt::format("{:.0f}", *value));
  };
  knob.offered = [](Scenario const&, Strategy const& current) {
    return !(current.retry.policy.*first);
  };
  auto const twice = fmt::format("2 * Request{}", name);
  Knob again = switch_knob(
      "retry.retry_request_" + lower(name), {Party::owner}, {"as it is", twice},
      [](Strategy const& strategy) { return (strategy.retry.policy.*next).has_value(); },
      [rule = classad::parse(twice)](Strategy& strategy) { strategy.retry.policy.*next = rule; },
      [](Strategy& strategy) { (strategy.retry.policy.*next).reset(); });
  again.offered = [](Scenario const&, Strategy const& current) {
    return !(current.retry.policy.*next);
  };
  again.with = knob.key;  // a small request needs another one after it
  return {knob, again};
}

std::vector<Knob> request_knobs(Scenario const& scenario) {
  auto const& request = scenario.campaign.request;
  auto const& work = scenario.campaign.work;
  constexpr Bytes kibibyte(1024), mebibyte(1024.0 * 1024);
  auto knobs = request_knobs<&JobPolicy::request_memory, &JobPolicy::retry_request_memory>(
      "Memory", work.memory, request.memory, mebibyte);
  for (Knob& knob : request_knobs<&JobPolicy::request_disk, &JobPolicy::retry_request_disk>(
           "Disk", work.disk, request.disk, kibibyte)) {
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

/// A workload of the catalogue fetches its input first, or reads it as it trains.
Knob data_knob() {
  using scenario::DataAccess;
  Knob knob = switch_knob(
      "training.data", {Party::owner}, {"copy", "stream"},
      [](Strategy const& strategy) { return strategy.training.data == DataAccess::stream; },
      [](Strategy& strategy) { strategy.training.data = DataAccess::stream; },
      [](Strategy& strategy) { strategy.training.data = DataAccess::copy; });
  knob.offered = [](Scenario const& of, Strategy const& current) {
    return of.campaign.work.catalogue && of.campaign.input_size() > Bytes() &&
           current.transfer.protocol != scenario::Protocol::htcondor;
  };
  return knob;
}

std::vector<Knob> work_knobs(Scenario const& scenario) {
  std::vector<Knob> knobs = {
      policy_knob<&JobPolicy::plugin_lifetime>("transfer.plugin_lifetime", Party::site, 10 * minute,
                                               20 * hour, 2 * hour),
      policy_knob<&JobPolicy::job_lease_duration>("limits.job_lease_duration", Party::owner,
                                                  2 * minute, day, 20 * minute),
      policy_knob<&JobPolicy::checkpoint_every_epochs>("checkpoint.every_epochs", Party::owner, 1,
                                                       std::max(1, scenario.campaign.work.epochs),
                                                       1)};
  // The cost of a checkpoint is not known of a program that stores none.
  knobs.back().offered = [](Scenario const&, Strategy const& current) {
    return current.retry.policy.checkpoint_every_epochs > 0;
  };
  knobs.push_back(number_knob<&Strategy::training, &TrainingStrategy::checkpoint_every>(
      "checkpoint.every", {Party::owner}, minute, 12 * hour, 20 * minute));
  knobs.back().offered = [](Scenario const& of, Strategy const& current) {
    return of.campaign.work.catalogue && current.training.checkpoint_every > Seconds();
  };
  knobs.push_back(number_knob<&Strategy::training, &TrainingStrategy::checkpoint_every_steps>(
      "checkpoint.every_steps", {Party::owner}, 100, 1e6, 1000));
  knobs.back().scale = Scale::logarithmic;
  knobs.back().offered = [](Scenario const& of, Strategy const& current) {
    return of.campaign.work.catalogue && current.training.checkpoint_every_steps > 0;
  };
  knobs.push_back(data_knob());
  for (Knob& knob : request_knobs(scenario)) knobs.push_back(std::move(knob));
  return knobs;
}

/// The reason why campaigns of recorded jobs cannot show the effect of a key.
std::string not_replayed(std::string_view path) {
  if (path == "match.avoid_hosts") return "";  // a replay alone keeps its hosts
  auto const* const key = scenario::key_at(scenario::strategy_table().section(), path);
  return key ? key->not_replayed : "";
}

/// True if the setting matters only to jobs that fetch input.
bool is_about_input(std::string_view key) {
  auto const starts = [key](std::string_view text) { return key.starts_with(text); };
  return starts("transfer.") || starts("release.") || starts("match.avoid_site") ||
         (starts("retry.") && key != "retry.max_retries" &&
          key.find("request_") == std::string_view::npos);
}

/// Bounds that contain the current value. Around a time beyond the usual ones they leave room: a
/// test pool counts seconds for hours.
void widen(Knob& knob, Strategy const& current) {
  double const room = knob.unit == Unit::time ? 5 : 1;
  auto const value = knob.get(current);
  if (knob.scale == Scale::choice || !value || !(*value > 0)) return;
  if (*value < knob.low) knob.low = *value / room;
  if (*value > knob.high) knob.high = *value * room;
  knob.usual = *value;
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Dimension> dimensions, Point start)
    : dimensions_(std::move(dimensions)), start_(std::move(start)) {
  check(dimensions_.size() == start_.size(), "the start has a value for each setting");
  start_ = canonical(start_);
}

bool SearchSpace::applies(std::size_t i, Point const& point) const {
  return !dimensions_[i].applies || dimensions_[i].applies(point);
}

double SearchSpace::rounded(std::size_t i, double value) const {
  Dimension const& dimension = dimensions_[i];
  if (start_[i] && *start_[i] == value) return value;
  double const inside = std::clamp(value, dimension.low, dimension.high);
  if (dimension.scale != Scale::logarithmic) return std::round(inside);
  return std::clamp(readable(inside), dimension.low, dimension.high);
}

Point SearchSpace::canonical(Point point) const {
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!applies(i, point)) {
      point[i].reset();
    } else if (point[i]) {
      point[i] = rounded(i, *point[i]);
    } else if (!dimensions_[i].can_be_off) {
      point[i] = start_[i].value_or(dimensions_[i].usual);
    }
  }
  return point;
}

std::vector<std::size_t> SearchSpace::changes(Point const& point) const {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (point[i] != start_[i] && (point[i] || applies(i, point))) changed.push_back(i);
  }
  return changed;
}

Point SearchSpace::without(Point const& point, std::size_t setting) const {
  Point changed = point;
  changed[setting] = start_[setting];
  return canonical(std::move(changed));
}

std::vector<std::size_t> SearchSpace::own_changes(Point const& point) const {
  auto settings = changes(point);
  std::erase_if(settings, [&](std::size_t i) { return without(point, i) == point; });
  return settings;
}

Point SearchSpace::simplest(Point const& point,
                            std::function<bool(Point const&)> const& serves) const {
  Point simple = point;
  for (std::size_t const i : own_changes(point)) {
    Point const candidate = without(simple, i);
    if (candidate != simple && serves(candidate)) simple = candidate;
  }
  return simple;
}

double SearchSpace::share_of(std::size_t i, double value) const {
  return to_share(dimensions_[i], value);
}

double SearchSpace::value_at(std::size_t i, double share) const {
  return from_share(dimensions_[i], std::clamp(share, 0.0, 1.0));
}

std::vector<Point> SearchSpace::values_of(std::size_t setting, Point const& at,
                                          std::size_t steps) const {
  std::vector<Point> points = {at};
  for (std::size_t k = 0; k <= steps; ++k) {
    Point point = at;
    point[setting] = value_at(setting, static_cast<double>(k) / static_cast<double>(steps));
    points.push_back(canonical(std::move(point)));
  }
  sort_by(points, setting);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

void sort_by(std::vector<Point>& points, std::size_t setting) {
  std::ranges::stable_sort(points, {}, [setting](Point const& at) { return at[setting]; });
}

void SearchSpace::add(std::vector<Point>& points, Point const& from, std::size_t i,
                      std::optional<double> value) const {
  Point point = from;
  point[i] = value;
  point = canonical(point);
  if (point == from || contains(points, point)) return;
  points.push_back(std::move(point));
}

void SearchSpace::add_values(std::vector<Point>& points, Point const& from, std::size_t i,
                             std::size_t levels) const {
  Dimension const& dimension = dimensions_[i];
  if (dimension.can_be_off) add(points, from, i, std::nullopt);
  if (start_[i]) add(points, from, i, start_[i]);
  if (dimension.scale == Scale::choice) {
    for (double x = dimension.low; x <= dimension.high; ++x) add(points, from, i, x);
    return;
  }
  for (std::size_t k = 0; k < levels; ++k) {
    double const share = static_cast<double>(k) / static_cast<double>(levels - 1);
    add(points, from, i, value_at(i, share));
  }
}

std::vector<Point> SearchSpace::single_changes(Point const& point, std::size_t levels) const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < size(); ++i) {
    if (applies(i, point)) add_values(points, point, i, levels);
  }
  constexpr std::size_t most_dependent = 5;
  auto const alone = points;
  for (Point const& changed : alone) {
    for (std::size_t i = 0; i < size(); ++i) {
      auto const with = dimensions_[i].with;
      bool const goes_with = with && changed[*with] != point[*with];
      bool const new_here = applies(i, changed) && !applies(i, point);
      if (new_here || goes_with) add_values(points, changed, i, std::min(levels, most_dependent));
    }
  }
  std::erase(points, point);
  return points;
}

std::vector<Point> SearchSpace::steps_from(Point const& point, double step) const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!applies(i, point)) continue;
    Dimension const& dimension = dimensions_[i];
    if (dimension.can_be_off) add(points, point, i, std::nullopt);
    if (dimension.scale == Scale::choice) {
      for (double x = dimension.low; x <= dimension.high; ++x) add(points, point, i, x);
    } else if (!point[i]) {
      add(points, point, i, dimension.usual);
    } else {
      double const least =
          dimension.scale == Scale::whole ? 1 / std::max(1.0, dimension.high - dimension.low) : 0;
      for (double const sign : {-1.0, 1.0}) {
        double const share = share_of(i, *point[i]) + sign * std::max(step, least);
        add(points, point, i, value_at(i, share));
      }
    }
  }
  return points;
}

Point SearchSpace::random_from(Point const& point, double share, RandomStream& stream) const {
  constexpr double off = 0.25;
  Point drawn = point;
  for (std::size_t i = 0; i < size(); ++i) {
    bool const anew = stream.chance(share), none = stream.chance(off);
    double const place = stream.uniform();
    if (!anew) continue;
    Dimension const& dimension = dimensions_[i];
    if (dimension.can_be_off && none) {
      drawn[i].reset();
    } else if (dimension.scale == Scale::logarithmic) {
      drawn[i] = value_at(i, place);
    } else {
      drawn[i] = std::floor(dimension.low + place * (dimension.high - dimension.low + 1));
    }
  }
  return canonical(std::move(drawn));
}

StrategySpace::StrategySpace(std::vector<Knob> knobs, scenario::Strategy current)
    : knobs_(std::move(knobs)), current_(std::move(current)), space_(space_of(knobs_, current_)) {}

scenario::Strategy StrategySpace::strategy_at(Point const& point) const {
  return with_knobs(knobs_, current_, point, knobs_.size());
}

std::string value_text(Knob const& knob, std::optional<double> value) {
  if (!value) return "off";
  if (knob.unit == Unit::time) return to_text(Seconds(*value));
  if (knob.unit == Unit::number) return fmt::format("{:.0f}", *value);
  return knob.words.at(static_cast<std::size_t>(*value));
}

/// Jobs that repeat a record may have had input that the submit file does not name: transfers that
/// failed, or that took some time.
bool fetches_input(Scenario const& scenario) {
  auto const& recorded = scenario.calibration.recorded;
  auto const fetches = [](auto const& job) {
    return std::ranges::any_of(job.attempts, [](auto const& attempt) {
      bool const in_vain = !attempt.transferred && !attempt.open;
      return attempt.fetches && !attempt.in_queue && (in_vain || attempt.transfer >= minutes(1));
    });
  };
  return scenario.campaign.input_size() > Bytes() ||
         (recorded && std::ranges::any_of(recorded->jobs.jobs, fetches));
}

std::vector<Knob> knobs_of(Scenario const& scenario, Strategy const& current, Party party) {
  std::vector<Knob> all;
  for (auto const& part :
       {transfer_knobs(usual_client_timeout(current)), cool_down_knobs(), retry_knobs(),
        match_knobs(scenario, current), work_knobs(scenario), submit_knobs(scenario, current)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::erase_if(all, [&](Knob const& knob) {
    bool const is_theirs = party == Party::anyone || contains(knob.parties, party);
    bool const shows = !scenario.calibration.recorded || not_replayed(knob.key).empty();
    bool const matters = !is_about_input(knob.key) || fetches_input(scenario);
    return !is_theirs || !shows || !matters || (knob.offered && !knob.offered(scenario, current));
  });
  for (Knob& knob : all) widen(knob, current);
  return all;
}

}  // namespace gridcast::optimize
