#include "sim/optimize/strategy_space.hpp"

#include <utility>

namespace gridcast::optimize {
namespace {

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

}  // namespace

StrategySpace::StrategySpace(std::vector<Knob> knobs, scenario::Strategy current)
    : knobs_(std::move(knobs)), current_(std::move(current)), space_(space_of(knobs_, current_)) {}

scenario::Strategy StrategySpace::strategy_at(Point const& point) const {
  return with_knobs(knobs_, current_, point, knobs_.size());
}

}  // namespace gridcast::optimize
