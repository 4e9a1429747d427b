// Limits of concurrency: how many jobs of each request run at a time, by limits that the pool's
// negotiator sets and that the requests name. HTCondor's default of the others is two million.
#pragma once

#include <vector>

#include "sim/scenario/pool.hpp"
#include "sim/scenario/request.hpp"

namespace gridcast::engine {

class ConcurrencyLimits {
 public:
  ConcurrencyLimits(scenario::JobRequests const& requests, scenario::NegotiatorSpec const& spec);

  /// True if one more job of the request may run.
  bool allow(Id<scenario::JobClass> of) const;
  /// True if one more job of any request may run.
  bool allow_any() const;
  void taken(Id<scenario::JobClass> of) { ++running_[of.index()]; }
  void released(Id<scenario::JobClass> of) { --running_[of.index()]; }

 private:
  struct Limit {
    double limit;
    std::vector<double> use;  // of a job of each request
  };
  int most(Limit const& limit, Id<scenario::JobClass> of) const;

  std::vector<Limit> limits_;  // that any request names
  std::vector<int> running_;   // by request
};

}  // namespace gridcast::engine
