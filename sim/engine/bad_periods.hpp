// When an origin, a cache or a path is bad: an alternating renewal process, the state of a
// Markov-modulated stall hazard.
//   bad periods  ~ Exp(mean D),  quiet periods ~ Exp(mean D (1 - f) / f),  started in equilibrium,
// f the long-run share of bad time. An entity's periods follow from its own stream and time 0, so
// they are the same under every strategy, whenever one looks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

class BadPeriods {
 public:
  BadPeriods(scenario::StallParameters const& draw, RandomStreams const& streams)
      : draw_(draw), streams_(streams) {}

  /// From now on, remembers the bad periods that it comes upon.
  void remember() { remembers_ = true; }
  struct Period {
    std::uint32_t entity;
    Seconds start, end;
  };
  std::vector<Period> const& remembered() const { return remembered_; }

  /// Whether `entity` (an origin, a cache, a path: any number that names it) is bad at `at`. Times
  /// must not go backwards for an entity.
  bool bad(std::uint32_t entity, Seconds at);

 private:
  struct Timeline {
    RandomStream stream;
    bool bad;
    Seconds until;
  };
  Seconds period(Timeline& timeline) const;

  scenario::StallParameters const& draw_;
  RandomStreams const& streams_;
  bool remembers_ = false;
  std::vector<Period> remembered_;
  std::unordered_map<std::uint32_t, Timeline> timelines_;
};

}  // namespace gridcast::engine
