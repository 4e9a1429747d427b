#include "sim/running/step_law.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr double prior_events = 2, prior_exposure = 1, least_alpha = 1.5;
constexpr std::size_t least_in_tail = 5, tail_part = 6;
constexpr Seconds shortest(1);  // logs have whole seconds; a logarithm needs a length

}  // namespace

StepLaw::StepLaw(std::vector<SeenStep> seen, Seconds usual)
    : seen_(std::move(seen)), usual_(usual) {
  std::stable_sort(seen_.begin(), seen_.end(), [](SeenStep const& a, SeenStep const& b) {
    return a.length != b.length ? a.length < b.length : a.ended && !b.ended;
  });
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].ended) ends_.push_back(static_cast<std::uint32_t>(i));
  }
  add_up();
  fit_tail();
}

void StepLaw::add_up() {
  double lasted = 0;
  std::vector<double> at_risk(seen_.size());
  for (std::size_t i = seen_.size(); i-- > 0;) at_risk[i] = lasted += seen_[i].weight;
  hazard_.clear();
  double hazard = 0;
  for (std::uint32_t const i : ends_) {
    if (at_risk[i] > 0) hazard += seen_[i].weight / at_risk[i];
    hazard_.push_back(hazard);
  }
}

Seconds StepLaw::tail_threshold() const {
  if (!ends_.empty()) {
    std::size_t const above =
        std::min(ends_.size() - 1, std::max(least_in_tail, ends_.size() / tail_part));
    return seen_[ends_[ends_.size() - 1 - above]].length;
  }
  std::vector<double> lengths;
  for (SeenStep const& step : seen_) lengths.push_back(step.length.value());
  return lengths.empty() ? usual_ : Seconds(median(std::move(lengths)));
}

void StepLaw::fit_tail() {
  Seconds const above = std::max(shortest, tail_threshold());
  tail_from_ = std::max(shortest, ends_.empty() ? above : seen_[ends_.back()].length);
  for (SeenStep const& step : seen_) {
    if (step.length <= above) continue;
    tail_exposure_ += step.weight * std::log(step.length / above);
    if (step.ended) tail_events_ += step.weight;
  }
}

StepLaw StepLaw::redrawn(RandomStream stream) const {
  StepLaw law = *this;
  for (SeenStep& step : law.seen_) step.weight *= stream.bootstrap_weight();
  law.add_up();
  double const alpha = gamma_quantile(stream.uniform(), prior_events + tail_events_,
                                      1 / (prior_exposure + tail_exposure_));
  law.beyond_ = std::pow(stream.uniform(), -1 / std::max(least_alpha, alpha));
  return law;
}

double StepLaw::hazard_before(Seconds age) const {
  auto const first = std::lower_bound(
      ends_.begin(), ends_.end(), age,
      [this](std::uint32_t i, Seconds length) { return seen_[i].length < length; });
  return first == ends_.begin() ? 0 : hazard_[static_cast<std::size_t>(first - ends_.begin()) - 1];
}

StepLaw::Drawn StepLaw::draw(Seconds age, RandomStream& stream) const {
  double const target = hazard_before(age) + stream.exponential();
  double const u = stream.uniform();
  double const all = hazard_.empty() ? 0 : hazard_.back();
  if (target <= all) {
    auto const at = std::lower_bound(hazard_.begin(), hazard_.end(), target) - hazard_.begin();
    SeenStep const& step = seen_[ends_[static_cast<std::size_t>(at)]];
    return {std::max(step.length, age), step.of};
  }
  Seconds const length = std::max(tail_from_, age) * (1 + (beyond_ - 1) * u);
  if (ends_.empty()) return {length};
  // It ends as one of the longer half did.
  auto const half = static_cast<double>(ends_.size() - ends_.size() / 2);
  auto const back = static_cast<std::size_t>(stream.uniform() * half);
  return {length, seen_[ends_[ends_.size() - 1 - back]].of};
}

std::optional<Seconds> StepLaw::ended_quantile(double p) const {
  if (ends_.empty()) return std::nullopt;
  bool const all_earlier =
      std::all_of(ends_.begin(), ends_.end(), [this](std::uint32_t i) { return seen_[i].earlier; });
  std::vector<double> lengths;
  for (std::uint32_t const i : ends_) {
    if (all_earlier || !seen_[i].earlier) lengths.push_back(seen_[i].length.value());
  }
  return Seconds(quantile(std::move(lengths), p));
}

}  // namespace gridcast::running
