// Quantities as types: a number of seconds cannot be added to a number of bytes by accident.
//
// Only what the simulator needs: sums, scaling, comparison, and the three products that make sense
// (bytes / rate = time, rate x time = bytes, bytes / time = rate). Everything else goes through
// `value()`, which is in SI units (s, B, B/s).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace gridcast::inline base {

/// A number in the SI unit that `Unit` stands for. Default-constructs to zero.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  constexpr double value() const { return value_; }
  constexpr auto operator<=>(Quantity const&) const = default;
  // GCC 12 does not reduce a three-way comparison of doubles to these.
  constexpr bool operator<(Quantity other) const { return value_ < other.value_; }
  constexpr bool operator>(Quantity other) const { return value_ > other.value_; }
  constexpr bool operator<=(Quantity other) const { return value_ <= other.value_; }
  constexpr bool operator>=(Quantity other) const { return value_ >= other.value_; }

  constexpr Quantity& operator+=(Quantity other) { return value_ += other.value_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return value_ -= other.value_, *this; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.value_ + b.value_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.value_ - b.value_);
  }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return a * k; }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

 private:
  double value_ = 0;
};

using Seconds = Quantity<struct SecondsUnit>;
using Bytes = Quantity<struct BytesUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;

constexpr Seconds operator/(Bytes b, BytesPerSecond r) { return Seconds(b.value() / r.value()); }
constexpr Bytes operator*(BytesPerSecond r, Seconds t) { return Bytes(r.value() * t.value()); }
constexpr BytesPerSecond operator/(Bytes b, Seconds t) {
  return BytesPerSecond(b.value() / t.value());
}

constexpr Seconds minutes(double n) { return Seconds(60 * n); }
constexpr Seconds hours(double n) { return Seconds(3600 * n); }
constexpr Seconds days(double n) { return Seconds(86400 * n); }

// Text -> quantity: a number, a blank if you like, and a unit, as in "1.5h", "137 GB", "10 Gbps".
//   times  us, µs, ms, s, sec, second(s), min, minute(s), h, hour(s), d, day(s), w, week(s); also
//          sums, as in "1 h 30 min" (a minus in front is the whole sum's)
//   sizes  B, kB, MB, GB, TB, PB (powers of 1000) and KiB .. PiB (powers of 1024)
//   rates  a size + "/s", or bit/s .. Tbit/s, bps .. Tbps
// Case matters: Gb is not GB. Empty when the text is not of that form; a bare number has no unit
// and is refused, and so is a number that is not finite.
std::optional<Seconds> parse_seconds(std::string_view text);
std::optional<Bytes> parse_bytes(std::string_view text);
std::optional<BytesPerSecond> parse_rate(std::string_view text);

// Quantity -> text that a person reads, with three digits: "36.6 h", "137 GB", "334 MB/s".
// A time changes to a larger unit at 2 of it: "44 s", "90 min", "36.6 h", "12.4 d".
std::string to_text(Seconds time);
std::string to_text(Bytes size);
std::string to_text(BytesPerSecond rate);

/// Index of a `What` in the vector that holds them: `Id<Job>` and `Id<Site>` are both small
/// integers, but cannot be mixed. Default-constructs to "none".
template <class What>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}

  constexpr std::size_t index() const { return index_; }
  /// As a key of a random stream or of a set, which count in 32 bits.
  constexpr std::uint32_t number() const { return index_; }
  constexpr bool valid() const { return index_ != none; }
  constexpr auto operator<=>(Id const&) const = default;

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = none;
};

// Values that are not known, or differ, between two ends: a factor, log-uniform between them with
// one draw a replica, and a time.

struct FactorRange {
  double least = 1, most = 1;
  bool operator==(FactorRange const&) const = default;
  /// Quantile; u in (0, 1).
  double at(double u) const;
};

/// "2" or "0.5..4", the smaller one first. Empty for a text that is not of that form, or is no
/// positive number.
std::optional<FactorRange> parse_factor_range(std::string_view text);
std::string to_text(FactorRange const& range);

struct TimeRange {
  Seconds least, most;
  bool operator==(TimeRange const&) const = default;
};

}  // namespace gridcast::inline base
