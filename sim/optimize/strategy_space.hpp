// The space of the strategies that differ from the current one in some knobs.
#pragma once

#include <string>
#include <vector>

#include "sim/optimize/knob.hpp"
#include "sim/optimize/search_space.hpp"

namespace gridcast::optimize {

class StrategySpace {
 public:
  StrategySpace(std::vector<Knob> knobs, scenario::Strategy current);

  SearchSpace const& space() const { return space_; }
  Knob const& knob(std::size_t i) const { return knobs_[i]; }
  scenario::Strategy const& current() const { return current_; }
  scenario::Strategy strategy_at(Point const& point) const;

 private:
  std::vector<Knob> knobs_;
  scenario::Strategy current_;
  SearchSpace space_;
};

}  // namespace gridcast::optimize
