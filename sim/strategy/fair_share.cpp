#include "sim/strategy/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridcast::strategy {

namespace {

// Slices that are a whole number of slots but for rounding are whole.
constexpr double rounding = 1e-3;

/// Matches of one submitter in one spin; true if there was one.
bool take_slice(Submitter& submitter, double slice, std::function<MatchResult()> const& match) {
  int taken = 0;
  auto const allowed = [&] {
    return taken + 1 <= slice + rounding || (taken == 0 && slice > rounding);
  };
  while (submitter.idle > 0 && allowed()) {
    if (match() == MatchResult::no_slot) {
      submitter.idle = 0;  // no slot suits it in this cycle
      break;
    }
    ++taken;
    ++submitter.running;
    --submitter.idle;
  }
  return taken > 0;
}

}  // namespace

double real_priority_after(double before, int slots, Seconds elapsed, Seconds half_life) {
  double const beta = std::pow(0.5, elapsed / half_life);
  return std::max(least_real_priority, beta * before + (1 - beta) * slots);
}

std::vector<double> slices(std::vector<Submitter> const& submitters, int slots) {
  double sum = 0;
  for (Submitter const& each : submitters) {
    if (each.idle > 0) sum += 1 / each.effective_priority;
  }
  std::vector<double> limits;
  for (Submitter const& each : submitters) {
    double const share = each.idle > 0 ? 1 / each.effective_priority / sum : 0;
    limits.push_back(std::max(0.0, share * slots - each.running));
  }
  return limits;
}

void spin_pie(std::vector<Submitter> submitters, int slots,
              std::function<MatchResult(std::size_t)> const& match) {
  std::vector<std::size_t> order(submitters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return submitters[a].effective_priority < submitters[b].effective_priority;
  });
  auto const wanting = [&] {
    return std::count_if(submitters.begin(), submitters.end(),
                         [](Submitter const& each) { return each.idle > 0; });
  };
  for (bool goes_on = true; goes_on;) {
    auto const before = wanting();
    auto const limits = slices(submitters, slots);
    bool matched = false;
    for (std::size_t const i : order) {
      if (take_slice(submitters[i], limits[i], [&] { return match(i); })) matched = true;
    }
    auto const after = wanting();
    goes_on = after > 0 && (matched || after < before);
  }
}

}  // namespace gridcast::strategy
