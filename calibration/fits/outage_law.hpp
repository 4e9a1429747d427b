// The common cause of tries that stall together, as a likelihood. Each entity of a scope (the
// origin, a cache, a path from a startd to a cache, a node, a site's uplink) is quiet or bad by a
// two-state Markov process in continuous time, stationary from the start:
//   P(bad at t + d | bad at t)   = f + (1 - f) exp(-r d)
//   P(bad at t + d | quiet at t) = f (1 - exp(-r d)),       r = 1 / (D (1 - f))
// f being the share of time that it is bad and D the mean length of a bad period. A URL's try that
// starts in a bad period is struck with probability q_bad, else with q_quiet. Struck is, by kind,
//   dead   no byte comes: the try ends by a timer, the client or with its slot, never by itself
//   slow   bytes come at the fraction s of the rate until the period ends, which is D later on
//          average whenever the try began, and then at the usual one
// and none: nothing but q_quiet, as if there were no periods; the links and the timer then explain
// the rest by their effect on healthy tries. A try at the next cache after one that was struck has,
// with probability k, the same state, else its own (`next_cache_dependence`).
//
// The forward algorithm over an entity's tries in the order of their starts (Rabiner 1989, Proc.
// IEEE 77, 2; in continuous time: Jackson & Sharples 2002, Statistics in Medicine 21) gives the
// probability of the known facts: with q of a try's state, n its URLs, Q = 1 - (1 - q)^n and S the
// probability that a healthy one had not arrived when it was ended,
//   arrived                  1 - Q         (slow: + Q x the ratio of the densities)
//   ended by timer, or cut   Q + (1 - Q) S (slow: Q S_slow + (1 - Q) S)
//   given up by the client   q             (slow: no byte for so long is 1 of 50)
// For tries that are left out of the links' likelihood (flow_fit.hpp) it uses the end. Their times
// are not in the evidence of any view; therefore the duration of one that arrived is not used: 1
// where slow.
// All entities of a scope have one law.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibration/fits/flow_fit.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

using scenario::OutageKind;
using scenario::OutageScope;
inline constexpr std::size_t outage_scopes = 5;  // without `none`, which stands behind them

struct OutageLaw {
  double bad_fraction = 0;
  double bad_duration = 1;  // s
  double when_bad = 0, when_quiet = 0;
  double dependence = 0;
  double slow_fraction = 1;
};

struct StallCounts {
  std::size_t struck = 0;      // tries that the timer ended or the client gave up
  std::size_t conclusive = 0;  // tries whose end shows whether they stalled
  std::size_t attempts = 0;    // with a try that came to an end of its own, of each kind
  std::size_t next_tries = 0;  // at another cache
};

/// The tries of a record, by entity.
class OutageRecord : public StallCounts {
 public:
  explicit OutageRecord(TransferRecords const& records);

  std::size_t tries() const { return tries_.size(); }
  /// Which tries share an entity: the same for scopes that the record cannot separate.
  std::vector<std::uint32_t> const& entities(OutageScope scope) const;

 private:
  friend class OutageLikelihood;
  struct Try {
    double at = 0;
    TransferEnd end = TransferEnd::arrived;
    int urls = 1;
    bool after_struck = false;  // the same URL's try before was given up
    bool no_byte = false;
  };
  std::vector<Try> tries_;
  std::array<std::vector<std::uint32_t>, outage_scopes> entities_;
};

/// ... under one draw of the links. The tries of `flows` are those of the record, by site.
class OutageLikelihood {
 public:
  OutageLikelihood(OutageRecord const& record, TransferRecords const& records,
                   FlowPosterior const& flows, std::size_t draw);

  /// ln of the record's probability over the part that `flows` took for it already.
  double operator()(OutageLaw const& law, OutageScope scope, OutageKind kind) const;

 private:
  /// A time that a try may have taken, as a healthy one would.
  struct Lasted {
    double seconds = 0;
    double z = 0;     // of its stretch, standardised
    double mean = 0;  // seconds that it takes on average
  };
  struct Seen {
    Lasted lasted;
    double sigma = 1;
    bool timed = true;
    bool in_evidence = true;
    std::array<Lasted, 4> between_stamps;  // where it arrived and is not timed
    double log_arrived = 0;                // ... with which probability, if it was healthy
    double log_taken = 0;                  // the factor that is in the flows' own evidence
  };
  /// A try that is slow from its start to the end of its bad period, as in the simulation.
  struct Slowed {
    double density = 1;    // of its duration, over exp(log_scale) times that of a healthy one
    double healthy = 1;    // that of a healthy one, over the same
    double log_scale = 0;  // keeps both within the range of a double
    double longer = 1;     // the probability that it had not arrived when it was ended
  };
  static Lasted lasted(FlowTry const& flow, FlowLaw const& law, double seconds, double stretch);
  static double ended(Lasted const& lasted, double sigma, OutageLaw const& law);
  static double longer(Lasted const& lasted, double sigma, OutageLaw const& law);
  Slowed slowed(std::size_t i, OutageLaw const& law) const;
  double emission(std::size_t i, double q, OutageLaw const& law, OutageKind kind,
                  Slowed const& slowed) const;

  OutageRecord const& record_;
  std::vector<Seen> seen_;
  double log_taken_ = 0;
};

}  // namespace gridcast::calibration
