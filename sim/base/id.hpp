// Typed indices: `Id<Job>` and `Id<Site>` are both small integers, but not each other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gridcast::inline base {

/// Index of a `What` in the vector that holds them. Default-constructs to "none".
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

}  // namespace gridcast::inline base
