#include "sim/base/random.hpp"

#include <Random123/philox.h>

namespace gridcast::inline base {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014; constants by Stafford, mix 13):
/// xor-shifts and odd multipliers, each invertible, so a bijection of the 64 bit numbers.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// mix(0) is 0; SplitMix64's increment moves that fixed point away from seed 0.
constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> const& counter,
                                    std::uint64_t key) {
  r123::Philox4x32::ctr_type const c = {{counter[0], counter[1], counter[2], counter[3]}};
  r123::Philox4x32::key_type const k = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  auto const words = r123::Philox4x32()(c, k);
  return {words[0], words[1], words[2], words[3]};
}

RandomStream::RandomStream(std::uint64_t key, Purpose purpose, std::uint32_t entity,
                           std::uint32_t attempt)
    : key_(key),
      purpose_(static_cast<std::uint32_t>(purpose)),
      entity_(entity),
      attempt_(attempt) {}

void RandomStream::refill() {
  block_ = philox({draw_++, attempt_, entity_, purpose_}, key_);
  used_ = 0;
}

// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019): the high half of
// word * n, after refusing the 2^32 mod n products of smallest low half, is exactly uniform.
std::uint32_t RandomStream::below(std::uint32_t n) {
  std::uint64_t product = std::uint64_t{word()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    std::uint32_t const refused = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < refused) product = std::uint64_t{word()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

RandomStreams::RandomStreams(std::uint64_t seed, std::uint32_t replica)
    : key_(mix(mix(seed + increment) + replica)) {}

}  // namespace gridcast::inline base
