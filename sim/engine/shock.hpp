// A failure that comes as one event and then hits one start after the other: the namespace answers
// 404 (fifteen jobs in a row in the published campaign), a site's outbound network is down (two in
// a row).
//
// The table has no dates, so its length is counted in starts, which is what the table shows. While
// none is on, a job's first start sets one off with a small probability; it hits that start and a
// Poisson number of the next ones: a window of much the same length each time, met by starts at
// random. Retries count as starts: an event can be sat out by waiting as well as used up by trying
// (docs/model.md, "Shocks").
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/distribution.hpp"
#include "sim/base/random.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

class Shock {
 public:
  /// `scopes`: how many places have events of their own (1 for the namespace, one for each site).
  Shock(scenario::ShockParameters const& draw, RandomStreams const& streams, std::uint32_t kind,
        std::size_t scopes)
      : draw_(draw), streams_(streams), kind_(kind), hits_left_(scopes, 0) {}

  /// One start of `job` at `scope`: is it hit?
  bool hits(std::size_t scope, std::uint32_t job, bool first_start) {
    if (first_start && hits_left_[scope] == 0) {
      RandomStream stream = streams_.stream(Purpose::shock, job, kind_);
      if (stream.chance(draw_.per_start)) hits_left_[scope] = 1 + further_hits(stream.uniform());
    }
    if (hits_left_[scope] == 0) return false;
    --hits_left_[scope];
    return true;
  }

 private:
  std::uint64_t further_hits(double u) const {
    if (draw_.mean_hits <= 1) return 0;
    return static_cast<std::uint64_t>(poisson_quantile(u, draw_.mean_hits - 1));
  }

  scenario::ShockParameters const& draw_;
  RandomStreams const& streams_;
  std::uint32_t kind_;
  std::vector<std::uint64_t> hits_left_;
};

}  // namespace gridcast::engine
