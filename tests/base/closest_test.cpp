#include <algorithm>

#include "sim/base/random.hpp"
#include "sim/base/text.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

std::vector<std::string> const keys = {"campaign", "strategies", "baseline", "study", "at"};

TEST_CASE("slips find the word that was meant", "[closest]") {
  CHECK(closest("campaign", keys) == "campaign");
  CHECK(closest("campain", keys) == "campaign");    // delete
  CHECK(closest("campaigns", keys) == "campaign");  // insert
  CHECK(closest("canpaign", keys) == "campaign");   // replace
  CHECK(closest("stduy", keys) == "study");         // a swap counts once: 5 letters allow one slip
  CHECK(closest("BaseLine", keys) == "baseline");   // case is no slip
  CHECK(closest("strategy", keys).empty());         // 3 of 8 letters: more than a third
  CHECK(closest("ta", keys) == "at");               // short words may have one
  CHECK(closest("sutdi", keys).empty());
  CHECK(closest("pool", keys).empty());
  CHECK(closest("out", {"transfer_output_files", "output"}) == "output");  // begins with it
  CHECK(closest("", {"a"}).empty());
  CHECK(closest("word", {}).empty());
}

TEST_CASE("the nearest wins, and among equals the first", "[closest]") {
  CHECK(closest("transfer_tim", {"transfer_dim", "transfer_time", "transfer_tin"}) ==
        "transfer_dim");
  CHECK(closest("held", {"herds", "hell", "helf"}) == "hell");
}

/// As it is defined, every row in full.
std::size_t distance(std::string const& a, std::string const& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      std::size_t const other = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

TEST_CASE("the nearest is the one that all distances give", "[closest]") {
  RandomStream stream = RandomStreams(1, 0).stream(Purpose::test, 0);
  auto const word = [&stream](std::uint32_t longest) {
    std::string made(1 + stream.below(longest), 'a');
    for (char& letter : made) letter = "abc"[stream.below(3)];
    return made;
  };
  for (int i = 0; i < 3000; ++i) {
    for (std::string const& asked : {word(2), word(14)}) {
      std::vector<std::string> const candidates{word(14), word(14), word(14)};
      std::size_t nearest = std::max<std::size_t>(1, asked.size() / 3) + 1;
      std::string best;
      for (auto const& candidate : candidates) {
        if (distance(asked, candidate) >= nearest) continue;
        nearest = distance(asked, candidate);
        best = candidate;
      }
      if (best.empty() && closest(asked, candidates).find(asked) != std::string::npos) continue;
      CAPTURE(asked, candidates);
      REQUIRE(closest(asked, candidates) == best);
    }
  }
}

TEST_CASE("a name's first word means it, and any part of it if nothing is near", "[closest]") {
  std::vector<std::string> const gpus = {"V100-16GB", "A100-80GB", "H100", "dlio-bert"};
  CHECK(closest("A100", gpus) == "A100-80GB");  // though H100 is one letter away
  CHECK(closest("a100", gpus) == "A100-80GB");
  CHECK(closest("h100", gpus) == "H100");
  CHECK(closest("bert", gpus) == "dlio-bert");
  CHECK(is_first_word("v100", "V100-16GB"));
  CHECK_FALSE(is_first_word("A10", "A100-80GB"));
  CHECK_FALSE(is_first_word("H100", "H100"));
  CHECK(closest("be", gpus).empty());
  CHECK(closest("A10", {"A100-80GB"}) == "A100-80GB");
  CHECK(closest("seed", {"need", "seeds", "seedling"}) == "need");
}

TEST_CASE("a suggestion names the nearest, or all", "[closest]") {
  CHECK(suggestion("studdy", keys) == "Did you mean 'study'?");
  CHECK(suggestion("pool", {"a", "b", "c"}) == "Known: a, b, c.");
  CHECK(suggestion("pool", {}).empty());
}

}  // namespace
}  // namespace gridcast::inline base
