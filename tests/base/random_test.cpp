// The statistical tests run with fixed seeds, so they pass or fail for good. Their limits are
// chosen so that a correct generator would fail any one of them for about one seed in a million
// (less than 1e-4 for all of them together).
#include "sim/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The ends of uniform(): exact in a double, and open.
static_assert((0U + 0.5) * 0x1p-32 > 0);
static_assert((0xffffffffU + 0.5) * 0x1p-32 < 1);

// The word behind a uniform.
std::uint32_t word(RandomStream& stream) {
  return static_cast<std::uint32_t>(stream.uniform() * 0x1p32 - 0.5);
}

double chi_square(std::vector<int> const& counts) {
  double total = 0;
  for (int const count : counts) total += count;
  double const expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (int const count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}
constexpr double limit_5 = 35.9;    // chi-square, 5 degrees of freedom, 1 - 1e-6
constexpr double limit_63 = 131.4;  // and 63

TEST_CASE("Philox gives the published words", "[random]") {
  // kat_vectors of Random123, philox4x32 with 10 rounds.
  CHECK(philox({0, 0, 0, 0}, 0) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({~0U, ~0U, ~0U, ~0U}, ~0ULL) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the words of its counter in order", "[random]") {
  RandomStream stream(42, Purpose::test, 17, 3);
  for (std::uint32_t draw = 0; draw < 3; ++draw) {
    for (std::uint32_t const expected : philox({draw, 3, 17, 15}, 42)) {
      CHECK(stream.uniform() == (expected + 0.5) / 4294967296.0);
    }
  }
}

TEST_CASE("a seed means the same numbers for ever", "[random]") {
  auto stream = RandomStreams(1, 0).stream(Purpose::test, 0);
  CHECK(word(stream) == 0x6e0bd0dc);
  auto other = RandomStreams(1, 1).stream(Purpose::test, 0);
  CHECK(word(other) == 0x4236e261);
}

TEST_CASE("a copy goes its own way from the same place", "[random]") {
  auto stream = RandomStreams(7, 1).stream(Purpose::test, 5);
  stream.uniform();
  auto copy = stream;
  CHECK(copy.uniform() == stream.uniform());
  copy.uniform();
  CHECK(copy.uniform() != stream.uniform());
}

TEST_CASE("seeds and replicas do not share a key", "[random]") {
  std::vector<std::uint64_t> first;
  auto const add = [&](std::uint64_t seed, std::uint32_t replica) {
    auto stream = RandomStreams(seed, replica).stream(Purpose::test, 0);
    auto const high = std::uint64_t{word(stream)} << 32;
    first.push_back(high | word(stream));
  };
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    for (std::uint32_t replica = 0; replica < 500; ++replica) add(seed, replica);
  }
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    add(seed << 32, 0);  // not seed and replica in one
  std::sort(first.begin(), first.end());
  CHECK(std::adjacent_find(first.begin(), first.end()) == first.end());
}

// Neighbours in each coordinate: the first draws must not know of each other.
TEST_CASE("neighbouring streams are uncorrelated and uniform", "[random]") {
  struct Coordinate {
    char const* name;
    std::function<RandomStream(std::uint32_t)> stream;
  };
  RandomStreams const fixed(1, 0);
  std::vector<Coordinate> const coordinates = {
      {"entity", [&](std::uint32_t i) { return fixed.stream(Purpose::test, i); }},
      {"attempt", [&](std::uint32_t i) { return fixed.stream(Purpose::test, 0, i); }},
      {"purpose", [&](std::uint32_t i) { return fixed.stream(Purpose{i}, 0); }},
      {"replica", [&](std::uint32_t i) { return RandomStreams(1, i).stream(Purpose::test, 0); }},
      {"seed", [&](std::uint32_t i) { return RandomStreams(i, 0).stream(Purpose::test, 0); }}};
  constexpr std::uint32_t n = 100000;
  for (auto const& [name, stream] : coordinates) {
    INFO(name);
    std::vector<int> single(64), pairs(64);
    double sum = 0;
    double last = 0.5;
    for (std::uint32_t i = 0; i < n; ++i) {
      double const u = stream(i).uniform();
      ++single[static_cast<std::size_t>(64 * u)];
      // Pairs that do not overlap, as the test needs independent ones.
      if (i % 2 == 1)
        ++pairs[static_cast<std::size_t>(8 * last) * 8 + static_cast<std::size_t>(8 * u)];
      sum += (u - 0.5) * (last - 0.5);
      last = u;
    }
    CHECK(chi_square(single) < limit_63);
    CHECK(chi_square(pairs) < limit_63);
    CHECK(std::abs(12 * sum / std::sqrt(n)) < 4.9);  // a standard normal: 1e-6 on both sides
  }
}

TEST_CASE("draws of one stream are uniform", "[random]") {
  auto stream = RandomStreams(3, 0).stream(Purpose::test, 0);
  std::vector<int> counts(64);
  for (int i = 0; i < 1000000; ++i) ++counts[static_cast<std::size_t>(64 * stream.uniform())];
  CHECK(chi_square(counts) < limit_63);
}

TEST_CASE("below is uniform, for large n too", "[random]") {
  auto stream = RandomStreams(4, 0).stream(Purpose::test, 0);
  std::vector<int> counts(6);
  for (int i = 0; i < 600000; ++i) ++counts[stream.below(6)];
  CHECK(chi_square(counts) < limit_5);
  CHECK(stream.below(1) == 0);
  // Here taking the remainder of a word would give the lowest third half of the draws.
  std::vector<int> thirds(6);
  for (int i = 0; i < 600000; ++i) ++thirds[stream.below(3U << 30) >> 29];
  CHECK(chi_square(thirds) < limit_5);
}

TEST_CASE("chance uses one uniform and keeps its probability", "[random]") {
  auto stream = RandomStreams(5, 0).stream(Purpose::test, 0);
  auto shadow = stream;
  constexpr int n = 100000;
  int hits = 0;
  for (int i = 0; i < n; ++i) {
    bool const hit = stream.chance(0.3);
    REQUIRE(hit == (shadow.uniform() < 0.3));
    if (hit) ++hits;
  }
  CHECK(std::abs(hits - 0.3 * n) < 4.9 * std::sqrt(0.3 * 0.7 * n));
  CHECK(stream.chance(1));
  CHECK_FALSE(stream.chance(0));
}

}  // namespace
}  // namespace gridcast::inline base
