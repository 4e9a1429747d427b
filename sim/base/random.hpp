// Random streams that belong to things, not to the order of events.
//
// Philox4x32-10 (Salmon et al., SC'11; Random123) is a function from a key and a counter to 128
// random bits. The key is (seed, replica), the counter (draw, attempt, entity, purpose). So job 17
// gets the same random numbers under each strategy, for any events of its neighbours and any number
// of processes: common random numbers, and the same bytes for the same seed.
//
// Also the distributions: the families of durations that the calibration fits and the simulator
// draws from, all by inversion of one uniform (monotone: common random numbers keep their sign).
// Boost.Math does the work.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gridcast::inline base {

/// The use of a stream. Values are part of the results: append, never renumber.
enum class Purpose : std::uint32_t {
  parameters = 1,     // which calibration draw a replica lives in
  execution = 2,      // how long a job's training takes
  transfer_rate = 3,  // how good the path of an attempt is
  stall = 4,          // does an attempt stall, when in the transfer, how long is the path bad
  overload = 5,       // when caches and the origin are overloaded
  eviction = 6,       // when a running job is evicted
  pilot = 7,          // arrival and life of pilots
  shock = 8,          // when the namespace answers 404, when a site's network is down
  corruption = 9,     // is the unpacked archive usable
  hold = 10,          // does a failed transfer hold the job
  people = 11,        // is a held job released, and when
  strategy = 12,      // draws of a strategy (delays)
  rematch = 13,       // time between a failure and the next match beyond the negotiator's own
  bootstrap = 14,     // resampling in calibration
  test = 15,
  match = 16,        // which of the free slots the negotiator picks
  input_path = 17,   // protocol's own failures on a path
  bad_times = 18,    // does an attempt in bad times stall
  match_delay = 19,  // from here on of logs: free slot to shadow
  overheads = 20,    // setup, teardown, and the way back to the queue of an attempt
  url = 21,          // a URL's time and fate
  crash = 22,        // does an attempt crash, and where
  job_work = 23,     // how much work a job is
  contact = 24,      // when the access point loses an attempt and finds it again
  suspension = 25,   // when an attempt is suspended, and how long
  checkpoint = 26,   // how long checkpoints take to store
  pause = 27,        // does a transfer stop for a while, where and how long
  stop = 28,         // does a limit of the slot stop an execution, and when
  cold_cache = 31,   // must a cache fetch the file of a try
  like_any = 32,     // which known site's parameters a site has that no record knows
};

/// Philox4x32-10 itself. Low half of the key first.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> const& counter, std::uint64_t key);

/// A sequence of uniforms; a value, cheap to copy. It repeats after 2^34 uniforms.
class RandomStream {
 public:
  RandomStream(std::uint64_t key, Purpose purpose, std::uint32_t entity, std::uint32_t attempt)
      : key_(key),
        purpose_(static_cast<std::uint32_t>(purpose)),
        entity_(entity),
        attempt_(attempt) {}

  /// The same stream from its 4 x block-th uniform on: random numbers for each of many things, four
  /// uniforms each, without drawing those of the others.
  RandomStream from_block(std::uint32_t block) const {
    RandomStream stream = *this;
    stream.draw_ = block;
    stream.used_ = 4;
    return stream;
  }

  /// In (0, 1), open at both ends, 32 random bits; never 0 or 1, so quantiles are finite.
  double uniform() { return (word() + 0.5) * 0x1p-32; }
  /// Of mean one; uses one uniform.
  double exponential() { return -std::log(uniform()); }
  /// In {0, ..., n - 1}, each exactly as likely; n >= 1. Uses one uniform, and with a probability
  /// below n / 2^32 another.
  std::uint32_t below(std::uint32_t n);
  /// True with probability p; uses exactly one uniform.
  bool chance(double p) { return uniform() < p; }
  /// The weight of an observation in a Bayesian bootstrap: a gamma variable of shape 4 and mean
  /// one; uses four uniforms.
  double bootstrap_weight();

 private:
  std::uint32_t word() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }
  void refill();

  std::uint64_t key_;
  std::uint32_t purpose_, entity_, attempt_, draw_ = 0;
  std::array<std::uint32_t, 4> block_ = {};
  unsigned used_ = 4;
};

/// All the streams of one replica. Streams of different (purpose, entity, attempt) are independent.
///
/// The key is mix(mix(seed + c) + replica), mix a bijection of 64 bits. So replicas of one seed
/// never share a key, nor do seeds in one replica. Two seeds can share keys only where their mixed
/// values are closer than their number of replicas R, a probability of 2R / 2^64 for a pair of
/// seeds (1e-16 for R = 1000); 96 bits of (seed, replica) in 64 bits of key leave no less.
class RandomStreams {
 public:
  RandomStreams(std::uint64_t seed, std::uint32_t replica);
  RandomStream stream(Purpose purpose, std::uint32_t entity, std::uint32_t attempt = 0) const {
    return {key_, purpose, entity, attempt};
  }

 private:
  std::uint64_t key_;
};

enum class Family { exponential, weibull, gamma, lognormal, loglogistic };

/// Names as written in calibration files: "exponential", "weibull", "gamma", "lognormal",
/// "loglogistic".
std::string_view name(Family family);
std::vector<Family> const& all_families();

/// A positive random variable, optionally shifted: X = shift + Y, Y ~ family(shape, scale).
///   exponential  F = 1 - exp(-y/scale)                     (shape unused, 1)
///   weibull      F = 1 - exp(-(y/scale)^shape)
///   gamma        density y^(shape-1) exp(-y/scale) / (Gamma(shape) scale^shape)
///   lognormal    ln Y ~ N(ln scale, shape^2)
///   loglogistic  F = 1 / (1 + (y/scale)^-shape)
/// scale > 0 and shape > 0 are the caller's promise (checked where they enter the program).
struct Distribution {
  Family family = Family::exponential;
  double shape = 1;
  double scale = 1;
  double shift = 0;

  double quantile(double u) const;      // u in (0, 1)
  double cdf(double x) const;           // 0 at or below the shift
  double log_density(double x) const;   // -infinity at or below the shift
  double log_survival(double x) const;  // log(1 - F(x)), accurate in the tail
  double mean() const;                  // +infinity where it does not exist
  bool is_constant() const { return family == Family::exponential && !(scale > 0); }
  double sample(RandomStream& stream) const { return quantile(stream.uniform()); }
};

/// Quantile functions used on their own.
double normal_quantile(double u);
double poisson_quantile(double u, double mean);  // smallest k with F(k) >= u
double gamma_quantile(double u, double shape, double scale);
double beta_quantile(double u, double a, double b);

// Points that fill the unit cube evenly: point k has the coordinates
//
//   u_i = frac(s_i + k sqrt(p_i)),  p_i the i-th prime
//
// of a Richtmyer sequence (Niederreiter 1978, Bulletin of the AMS 84), with random shifts s_i.

/// One point, coordinate after coordinate; there are ten.
class EvenPoint {
 public:
  EvenPoint(RandomStream shifts, std::uint32_t number) : shifts_(shifts), number_(number) {}

  /// In (0, 1).
  double next() {
    static constexpr std::array primes = {2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0};
    constexpr double least = 0x1p-53;
    double const turns = shifts_.uniform() + number_ * std::sqrt(primes.at(coordinate_++));
    return std::fmax(least, turns - std::floor(turns));
  }

 private:
  RandomStream shifts_;
  double number_;
  std::size_t coordinate_ = 0;
};

}  // namespace gridcast::inline base
