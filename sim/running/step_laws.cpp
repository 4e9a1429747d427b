#include "sim/running/step_laws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr double usual_sd = 0.2, sd_of_log_sd = 0.7, least_sd = 0.05, most_sd = 1.2;
constexpr double all_are_usual = 0.3;
constexpr int sds = 20, means = 31, shares = 12;  // of the grid
constexpr double tiny = 1e-300;

double log_of(Seconds length) { return std::log(std::max(1.0, length.value())); }

/// The evidence in sums: of ended steps, and of those that continue by twentieths of the logarithm.
struct StepSums {
  double weight = 0, mean = 0, squares = 0;  // of the ended; squares of the deviations
  double longest = 0;
  struct Continuing {
    double weight = 0, sum = 0;
  };
  std::map<long, Continuing> continuing;
};

StepSums sums_of(std::vector<SeenStep> const& seen) {
  StepSums sums;
  constexpr double bins = 20;
  bool const any_useful =
      std::ranges::any_of(seen, [](SeenStep const& step) { return step.ended && step.useful; });
  auto const is_length = [&](SeenStep const& step) {
    return step.ended && (step.useful || !any_useful);
  };
  for (SeenStep const& step : seen) {
    double const x = log_of(step.length);
    sums.longest = std::max(sums.longest, x);
    if (is_length(step)) {
      sums.weight += step.weight;
      sums.mean += step.weight * x;
    } else if (step.weight > 0) {
      StepSums::Continuing& bin = sums.continuing[std::lround(bins * x)];
      bin.weight += step.weight;
      bin.sum += step.weight * x;
    }
  }
  if (sums.weight > 0) sums.mean /= sums.weight;
  for (SeenStep const& step : seen) {
    if (is_length(step)) sums.squares += step.weight * square(log_of(step.length) - sums.mean);
  }
  return sums;
}

/// Calls `add(law, log density)` for the shares p of usual steps of one mean and sd.
void each_share(StepSums const& sums, double mean, double sd, double log_density, auto const& add) {
  std::vector<std::pair<double, double>> survival;  // weight, S
  for (auto const& [bin, of] : sums.continuing)
    survival.emplace_back(of.weight, normal_cdf((mean - of.sum / of.weight) / sd));
  for (int i = 0; i <= shares; ++i) {
    bool const all = i == shares;
    double const p = all ? 1 : (i + 0.5) / shares;
    double log_sum = log_density + sums.weight * std::log(p) +
                     std::log(all ? all_are_usual : (1 - all_are_usual) / shares);
    for (auto const& [weight, s] : survival)
      log_sum += weight * std::log(std::max(tiny, p * s + 1 - p));
    add(LongSteps{mean, sd, p}, log_sum);
  }
}

constexpr double full_share = 0.75;
constexpr double slots_sd = 0.25;  // of the logarithm of their number

/// A job takes a slot, or leaves one; or it starts, or comes into the queue.
struct Change {
  Seconds at;
  bool starts;

  auto operator<=>(Change const&) const = default;
};

std::vector<Change> slot_changes(RunningCampaign const& campaign) {
  std::vector<Change> changes;
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    auto const& attempts = campaign.record.jobs[j].attempts;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      if (attempts[i].in_queue) continue;
      Seconds const end = campaign.places[j][i].end;
      changes.push_back({end - attempts[i].slot_time(), true});
      if (!attempts[i].open) changes.push_back({end, false});
    }
  }
  std::ranges::sort(changes);
  return changes;
}

constexpr std::size_t least_starts = 5;
constexpr double change_sd = 0.5;  // of the logarithm of the rate
constexpr double span_sd = 1.5;    // likewise, where there was no start
constexpr Seconds shortest_wait(1);

/// The gaps before all starts while jobs waited; the open one last.
struct Gaps {
  std::vector<Seconds> closed;
  Seconds open;
};

Gaps gaps_of(std::vector<FirstWait> const& jobs, Seconds now) {
  std::vector<Change> changes;
  for (FirstWait const& job : jobs) {
    changes.push_back({job.submitted, false});
    if (!job.waits) changes.push_back({job.left, true});
  }
  std::ranges::sort(changes);
  Gaps gaps;
  std::size_t waiting = 0;
  Seconds since;  // the last start, or the time from which on jobs wait
  for (Change const& change : changes) {
    if (!change.starts) {
      if (waiting++ == 0) since = change.at;
      continue;
    }
    gaps.closed.push_back(std::max(Seconds(), change.at - since));
    since = change.at;
    if (waiting > 0) --waiting;
  }
  if (waiting > 0) gaps.open = std::max(Seconds(), now - since);
  return gaps;
}

}  // namespace

double LongSteps::share_of_usual(Seconds age) const {
  double const usual_ones = usual * normal_cdf((mean - log_of(age)) / sd);
  return usual_ones / std::max(tiny, usual_ones + (1 - usual));
}

Seconds LongSteps::length_beyond(Seconds age, double u) const {
  double const z = (log_of(age) - mean) / sd;
  double const survival = normal_cdf(-z), left = std::max(u, 1e-12);
  // Far beyond, the rest of a normal variable is exponential with the rate z.
  constexpr double least = 1e-200;
  double const longer =
      survival > least ? -normal_quantile(survival * left) : z - std::log(left) / std::max(1.0, z);
  return std::max(age, Seconds(std::exp(mean + sd * longer)));
}

LongStepsPosterior::LongStepsPosterior(std::vector<SeenStep> const& seen) {
  StepSums const sums = sums_of(seen);
  if (!(sums.weight > 0)) return;
  double best = -infinity;
  auto const add = [&](LongSteps const& law, double log_density) {
    best = std::max(best, log_density);
    points_.push_back({law, log_density});
  };
  for (int i = 0; i < sds; ++i) {
    double const sd = least_sd * std::pow(most_sd / least_sd, static_cast<double>(i) / (sds - 1));
    double const first = sums.mean - 2 * sd;
    double const step = (std::max(sums.longest, sums.mean) + 2 * sd - first) / (means - 1);
    for (int j = 0; j < means; ++j) {
      double const mean = first + step * j;
      // Normal density of ln s, width of the cell, and the ended steps' density.
      double const log_density =
          -square(std::log(sd / usual_sd) / sd_of_log_sd) / 2 + std::log(step) -
          sums.weight * std::log(sd) -
          (sums.squares + sums.weight * square(sums.mean - mean)) / (2 * square(sd));
      each_share(sums, mean, sd, log_density, add);
    }
  }
  double sum = 0;
  for (Point& point : points_) point.share = sum += std::exp(point.share - best);
  for (Point& point : points_) point.share /= sum;
}

LongSteps LongStepsPosterior::draw(double u) const {
  if (points_.empty()) return {};
  auto const found = std::ranges::lower_bound(points_, u, {}, &Point::share);
  return found == points_.end() ? points_.back().law : found->law;
}

bool SlotUse::full() const { return most >= 2 && share >= full_share; }

SlotUse slot_use(RunningCampaign const& campaign) {
  auto const changes = slot_changes(campaign);
  if (changes.empty()) return {};
  SlotUse use;
  Seconds const from = changes[changes.size() / 2].at;
  Seconds last = from;
  std::size_t used = 0;
  double slot_seconds = 0;
  std::vector<Seconds> ends;  // that no start has followed
  for (Change const& change : changes) {
    slot_seconds += count(used) * std::max(Seconds(), change.at - last).value();
    last = std::max(last, change.at);
    if (change.starts) {
      use.most = std::max(use.most, ++used);
      if (ends.empty()) continue;
      use.gaps.push_back(change.at - ends.back());
      ends.pop_back();
    } else {
      --used;
      ends.push_back(change.at);
    }
  }
  slot_seconds += count(used) * (campaign.now - last).value();
  double const seconds = (campaign.now - from).value();
  if (seconds > 0) use.share = slot_seconds / seconds / count(use.most);
  return use;
}

SlotQueue::SlotQueue(SlotUse const& use, std::vector<Seconds> ends, RandomStream stream)
    : use_(use), stream_(stream), free_(std::move(ends)) {
  double const change = std::exp(slots_sd * normal_quantile(stream_.uniform()));
  auto const slots = std::max(1L, std::lround(count(use.most) * change));
  std::ranges::sort(free_);
  // Slots that are lost are those that would be free first.
  auto const used = static_cast<std::ptrdiff_t>(free_.size());
  if (used > slots) free_.erase(free_.begin(), free_.end() - slots);
  if (used < slots) free_.insert(free_.begin(), static_cast<std::size_t>(slots - used), Seconds());
}

Seconds SlotQueue::next_start() {
  std::ranges::pop_heap(free_, std::greater<>());
  Seconds const at = free_.back();
  free_.pop_back();
  double const u = stream_.uniform();
  if (use_.gaps.empty()) return at;
  return at + use_.gaps[static_cast<std::size_t>(u * count(use_.gaps.size()))];
}

void SlotQueue::give_back(Seconds at) {
  free_.push_back(at);
  std::ranges::push_heap(free_, std::greater<>());
}

StartLaw::StartLaw(std::vector<FirstWait> const& jobs, Seconds now) {
  Gaps const gaps = gaps_of(jobs, now);
  std::size_t const all = gaps.closed.size();
  std::size_t used = 0;
  double squares = square(gaps.open.value());
  gaps_ = gaps.open;
  // A burst without the gap before it says nothing about the rate.
  while (used < all && (used < std::max(least_starts, all / 3) || gaps_ == Seconds())) {
    Seconds const gap = gaps.closed[all - ++used];
    gaps_ += gap;
    squares += square(gap.value());
  }
  starts_ = count(used);
  independent_ = squares > 0 ? square(gaps_.value()) / squares : starts_;
  gaps_ = std::max(gaps_, shortest_wait);
}

std::vector<Seconds> StartLaw::draw(std::size_t jobs, RandomStream stream) const {
  std::vector<Seconds> times;
  times.reserve(jobs);
  double const z = normal_quantile(stream.uniform()), first = stream.uniform();
  if (starts_ == 0) {
    Seconds const begin = gaps_ / first - gaps_;
    Seconds const span = gaps_ / first * std::exp(span_sd * z);
    for (std::size_t i = 0; i < jobs; ++i) times.push_back(begin + span * (count(i) / count(jobs)));
    return times;
  }
  double const sd = std::sqrt(1 / std::max(1.0, independent_) + square(change_sd));
  Seconds const gap = gaps_ / starts_ * std::exp(sd * z);
  double const shape = std::clamp(independent_ / starts_, 1e-3, 1.0);
  Seconds at;
  for (std::size_t i = 0; i < jobs; ++i) {
    double const u = stream.uniform();
    if (u < shape) at += gap / shape * -std::log(u / shape);
    times.push_back(at);
  }
  return times;
}

}  // namespace gridcast::running
