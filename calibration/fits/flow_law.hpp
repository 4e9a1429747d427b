// What an input transfer takes over shared links, and what a recorded one says of the links:
//   alone            exp(sigma z) (latency + bytes / S),   z ~ N(0, 1) a try
//   with others      after its latency, exp(sigma z) bytes flow at the rate min(S, C / n(t))
// S is what one stream reaches, C the capacity of the site's link, n(t) how many transfers flow over
// it, which a log tells (max-min sharing of one link by streams of one limit is equal sharing; Velho
// et al., TOMACS 2013). So the stretch x = exp(sigma z) of a transfer of T seconds solves
//   integral from x latency to T of min(S, C / n(t)) dt = x bytes
// and is normal in its logarithm: its density in T is that of ln x times d ln x / dT, and a transfer
// that was cut at T would have needed a larger stretch. Where an ad tells the time to the first byte, the
// latency is that time, exponential with the site's as its mean; where sizes are unknown, bytes are 0 and
// latency is all there is.
// Of k URLs of which only the whole is known, bytes are their sum, latency counts once for each, and the
// stretch is the mean of k: the lognormal of the same mean and variance (Fenton 1960),
//   sigma_k^2 = ln(1 + (exp(sigma^2) - 1) / k),   mu_k = (sigma^2 - sigma_k^2) / 2
// Times are in seconds, sizes in bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibration/fits/likelihood.hpp"
#include "calibration/records/transfer_record.hpp"

namespace gridcast::calibration {

/// What holds at one site.
struct FlowLaw {
  double latency = 1;         // s
  double stream_limit = 1e8;  // bytes a second
  double link_capacity = 1e9;
  double sigma = 0.5;  // sd of the logarithm of a try's stretch
};

/// A stretch of time in which as many transfers flow, this one included.
struct FlowPiece {
  double seconds = 0;
  double flows = 1;
};

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

  /// The stretch with which it takes exactly `until` seconds; the last piece goes on for ever.
  double stretch(FlowLaw const& law, double until) const;
  double stretch(FlowLaw const& law) const { return stretch(law, seconds); }
  /// How often its stretch would be below that: normal, standardised.
  double z(FlowLaw const& law, double stretch) const;
  /// Of the logarithm of its stretch.
  LogNormal noise(FlowLaw const& law) const;
  /// ln of the density of its duration (of the probability of its stamps, if it is not timed).
  double log_arrived(FlowLaw const& law) const;
  /// ln of the probability that it would have taken longer than it was given.
  double log_longer(FlowLaw const& law) const;
  /// By how much ln of the density grows if it went at `fraction` of the rate.
  double log_slower(FlowLaw const& law, double fraction) const;
};

/// The tries of each site with what flowed beside them. `dead_load` is what a try is that ended
/// without its bytes, by the stall timer or by the client: 0 if it was dead, 1 if it flowed.
std::vector<std::vector<FlowTry>> flow_tries(TransferRecords const& records, std::size_t sites,
                                             double dead_load);

}  // namespace gridcast::calibration
