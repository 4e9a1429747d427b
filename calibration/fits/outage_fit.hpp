// Which outages made tries stall together, if any: the laws of OutageLaw for each scope and
// kind and for none, compared by their marginal likelihoods. A hypothesis comes with its own view
// of the cut tries (flow_fit.hpp), as dead ones load no link, and healthy and slow ones do:
//   P(record | hypothesis) = integral over links and outages of their priors times the likelihood
// the integral over the links being taken with draws of their posterior, chosen by how likely the
// hypothesis makes them, that over the outages by importance sampling. What these integrals are
// wrong by is in the probabilities, which are averages over it. Priors, the same for all scopes:
//   hypotheses         none 1/3; dead 1/3 and slow 1/3, each shared equally by the five scopes
//   bad_fraction       Beta(1, 2)          when_bad    Beta(2, 1)       when_quiet  Beta(1, 9)
//   bad_duration       log-uniform, from a transfer's mean to three times the record
//   slow_fraction      log-uniform, 0.01 to 0.5                         dependence  uniform
// None is congestion where links are narrow: what is healthy is cut as well, and loads the link
// again. Scopes whose entities are the same in the record cannot be told apart, and that is said.
//
// Where nothing ever stalled, no outage is in the draws (as in partial_pooling.hpp): the exact
// upper limit says what the record cannot exclude.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/flow_fit.hpp"

namespace gridcast::calibration {

// What makes tries stall together, as a likelihood. Each entity of a scope (the origin, a cache, a
// path from a startd to a cache, a node, a site's uplink) is quiet or bad by a two-state Markov
// process in continuous time, stationary from the start:
//   P(bad at t + d | bad at t)   = f + (1 - f) exp(-r d)
//   P(bad at t + d | quiet at t) = f (1 - exp(-r d)),       r = 1 / (D (1 - f))
// f being the share of time that it is bad and D the mean length of a bad period. A URL's try that
// starts in a bad period is struck with probability q_bad, else with q_quiet. Struck is, by kind,
//   dead   no byte comes: the try ends by a timer, the client or with its slot, never by itself
//   slow   bytes come at the fraction s of the rate until the period ends, which is D later on
//          average whenever the try began, and then at the usual one
// and none: nothing but q_quiet, as if there were no periods; what the links and the timer do with
// healthy tries then explains the rest. Of a try at the next cache after one that was struck, with
// probability k its luck is the same, else its own (`next_cache_dependence`).
//
// The forward algorithm over an entity's tries in the order of their starts (Rabiner 1989, Proc.
// IEEE 77, 2; in continuous time: Jackson & Sharples 2002, Statistics in Medicine 21) gives the
// probability of what is known of them: with q of a try's state, n its URLs, Q = 1 - (1 - q)^n and
// S the probability that a healthy one had not arrived when it was ended,
//   arrived                  1 - Q         (slow: + Q x the ratio of the densities)
//   ended by timer, or cut   Q + (1 - Q) S (slow: Q S_slow + (1 - Q) S)
//   given up by the client   q             (slow: no byte for so long is 1 of 50)
// Of those that are left out of the links' likelihood (flow_fit.hpp) it takes the end and, as their
// times are not in the evidence of any view, of one that arrived not how long it took: 1 where
// slow.
//
// One law is all entities'. Whether a record speaks against that, the leading hypothesis is
// asked with a rate of bad periods, f / (D (1 - f)), of each entity's own, lognormal around the
// common one with a spread whose prior is half-normal(1): P(record | spread) / P(record | one law).

/// In the order of the column outage_scope; `none` stands behind the scopes.
enum class OutageScope : std::uint8_t { origin, cache, path, node, uplink, none };
inline constexpr std::size_t outage_scopes = 5;

/// "origin", "cache", "path", ...
char const* name(OutageScope scope);

enum class OutageKind : std::uint8_t { dead, slow };

struct OutageLaw {
  double bad_fraction = 0;
  double bad_duration = 1;  // s
  double when_bad = 0, when_quiet = 0;
  double dependence = 0;
  double slow_fraction = 1;
  double spread = 0;  // sd of the logarithm of the rate of bad periods, between entities
};

/// The tries of a record, by entity.
class OutageRecord {
 public:
  explicit OutageRecord(TransferRecords const& records);

  std::size_t tries() const { return tries_.size(); }
  /// Tries that the timer ended or the client gave up.
  std::size_t struck() const { return struck_; }
  /// Tries whose end tells whether they stalled.
  std::size_t told() const { return told_; }
  /// Attempts with a try that came to an end of its own, whatever that was.
  std::size_t attempts() const { return attempts_; }
  bool next_caches_tried() const { return next_tries_ > 0; }
  std::size_t next_tries() const { return next_tries_; }
  /// Which tries share an entity: the same for scopes that the record cannot tell apart.
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
  std::size_t struck_ = 0, told_ = 0, attempts_ = 0, next_tries_ = 0;
};

/// ... under one draw of the links. The tries of `flows` are those of the record, by site.
class OutageLikelihood {
 public:
  OutageLikelihood(OutageRecord const& record, TransferRecords const& records,
                   FlowPosterior const& flows, std::size_t draw);

  /// ln of the record's probability over what `flows` took for it already.
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
  /// Of a try that is slow from its start to the end of its bad period, as the engine plays it.
  struct Slowed {
    double density = 1;    // of its duration, over exp(log_scale) times that of a healthy one
    double healthy = 1;    // that of a healthy one, over the same
    double log_scale = 0;  // so that neither is beyond what a double holds
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

/// A row of the draws: of which view, which draw of its links, and the outages.
struct OutageDraw {
  OutageScope scope = OutageScope::none;
  OutageKind kind = OutageKind::dead;
  std::size_t view = 0;       // of OutagePosterior::views
  std::size_t flow_draw = 0;  // of that view's
  OutageLaw law;
};

/// How the entities of a scope differ, as far as the record tells.
struct EntitySpread {
  OutageScope scope = OutageScope::cache;
  std::size_t entities = 0;
  double log_bayes_factor = 0;  // of a spread, against one law
  double interval_error = 0;    // of it, 90 % either way: the integrals' own
};

struct OutagePosterior {
  std::vector<FlowPosterior> views;
  std::vector<OutageDraw> rows;
  std::vector<HypothesisProbability> hypotheses;
  double evidence_sd = 0;  // of ln(evidence), by the integrals' own error; 0: it hardly matters
  std::vector<std::string> same;  // "path, node": scopes that the record cannot tell apart
  std::size_t struck = 0, told = 0, attempts = 0, next_tries = 0;
  double span = 1;                               // seconds of the record
  std::optional<EntitySpread> between_entities;  // none: no periods, or of one
};

OutagePosterior outage_posterior(TransferRecords const& records, std::size_t sites,
                                 std::size_t draws, RandomStreams const& streams);

/// Of a record of so many attempts in which none stalled.
NotIdentified no_stall_seen(std::size_t attempts, std::string taken_from);

/// Columns outage_scope, outage_kind, stall_bad_fraction, stall_bad_duration_s, stall_when_bad,
/// stall_when_quiet, slow_fraction, next_cache_dependence.
Fit outage_fit(OutagePosterior const& posterior);

}  // namespace gridcast::calibration
