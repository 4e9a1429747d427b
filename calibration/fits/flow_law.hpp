// Duration of an input transfer over shared links, and the evidence of a recorded one on the links:
//   alone            exp(sigma z) (latency + bytes / S),   z ~ N(0, 1) a try
//   with others      after its latency, exp(sigma z) bytes flow at the rate min(S, C / n(t))
// S is the rate of one stream, C the capacity of the site's link, n(t) the number of transfers that
// flow over it, known from a log (max-min sharing of one link by streams of one limit is equal
// sharing; Velho et al., TOMACS 2013). So the stretch x = exp(sigma z) of a transfer of T seconds
// solves
//   integral from x latency to T of min(S, C / n(t)) dt = x bytes
// and is normal in its logarithm: its density in T is that of ln x times d ln x / dT, and a
// transfer that was cut at T would have needed a larger stretch. If an ad has the time to the first
// byte, the latency is that time, exponential with the site's as its mean; if sizes are unknown,
// bytes are 0 and latency is the whole. If only the whole of k URLs is known, bytes are their sum,
// latency counts once for each, and the stretch is the mean of k: the lognormal of the same mean
// and variance (Fenton 1960),
//   sigma_k^2 = ln(1 + (exp(sigma^2) - 1) / k),   mu_k = (sigma^2 - sigma_k^2) / 2
// Times are in seconds, sizes in bytes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "calibration/records/transfer_record.hpp"

namespace gridcast::calibration {

/// The law of one site.
struct FlowLaw {
  double latency = 1;         // s
  double stream_limit = 1e8;  // bytes a second
  double link_capacity = 1e9;
  double sigma = 0.5;  // sd of the logarithm of a try's stretch
};

/// ln X is normal with these parameters.
struct LogNormal {
  double mu = 0;
  double sigma = 1;
};

/// A stretch of time in which as many transfers flow, this one included.
struct FlowPiece {
  double seconds = 0;
  double flows = 1;
};

/// Times in falling order, or something of each.
using StampTimes = std::array<double, 4>;

/// One try as the likelihood needs it.
struct FlowTry {
  std::vector<FlowPiece> pieces;  // from its start to its end
  double seconds = 0;             // their sum
  double bytes = 0;
  double urls = 1;
  std::optional<double> first_byte;
  bool timed = false;  // its duration is known to less than a tick
  double tick = 1;
  TransferEnd end_kind = TransferEnd::arrived;
  bool in_evidence = true;  // else one of too many, left out of the links' likelihood

  /// The stretch with which it takes exactly `until` seconds; the last piece goes on for ever.
  double stretch(FlowLaw const& law, double until) const;
  double stretch(FlowLaw const& law) const { return stretch(law, seconds); }
  /// How often its stretch would be below that: normal, standardised.
  double z(FlowLaw const& law, double stretch) const;
  /// Distribution of the logarithm of its stretch.
  LogNormal noise(FlowLaw const& law) const;
  /// ln of the density of the time to the first byte, which ads have to a millisecond; 0 without
  /// one.
  double log_wait(FlowLaw const& law) const;
  /// ln of the density of its duration, or of the probability of its stamps if it is not timed.
  double log_arrived(FlowLaw const& law) const;
  /// The same of one that went at a fraction of the rate on average, log-uniform from 0.01 to 1:
  /// slow all the time, or until its outage ended.
  double log_slowed(FlowLaw const& law) const;
  /// ln of the probability that it would have taken longer than it was given.
  double log_longer(FlowLaw const& law) const;
  /// How long it may have taken between its stamps, if it is not timed: the points of
  /// log_of_stamps().
  StampTimes between_stamps() const;
  /// The stretches with which it takes these times.
  StampTimes stretches(FlowLaw const& law, StampTimes const& untils) const;
};

/// ln of the probability of a try's stamps, from the probabilities that it takes less than each of
/// between_stamps(): 1e-12 at least, the limit of the cost of stamps that no law explains.
double log_of_stamps(StampTimes const& below);

/// The tries of each site with the transfers beside them. `timer_load` is the load on the link of
/// those that the stall timer ended, times each one's own load: 0 if they were dead, 1 if they
/// flowed.
std::vector<std::vector<FlowTry>> flow_tries(TransferRecords const& records, std::size_t sites,
                                             double timer_load);

/// The nature of the tries that the stall timer ended.
enum class CutView {
  dead,     // no byte came of half of them or more
  slow,     // bytes came at a fraction of the rate
  healthy,  // healthy, except for a few without a byte
};

/// How likely it is a priori that a cut try was not healthy. Only a weight: the evidence divides it
/// out again.
double broken_before(CutView view, TransferEnd end);

/// ln of a try's factor in the likelihood under a view.
double log_factor(FlowTry const& one, FlowLaw const& law, CutView view);

}  // namespace gridcast::calibration
