#include "sim/base/closest.hpp"

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
  CHECK(closest("", {"a"}).empty());
  CHECK(closest("word", {}).empty());
}

TEST_CASE("the nearest wins, and among equals the first", "[closest]") {
  CHECK(closest("transfer_tim", {"transfer_dim", "transfer_time", "transfer_tin"}) ==
        "transfer_dim");
  CHECK(closest("held", {"herds", "hell", "helf"}) == "hell");
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
