#include "sim/base/closest.hpp"

#include "tests/test.hpp"

namespace gridcast {
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

TEST_CASE("a suggestion names the nearest, or all", "[closest]") {
  CHECK(suggestion("studdy", keys) == "Did you mean 'study'?");
  CHECK(suggestion("pool", {"a", "b", "c"}) == "Known: a, b, c.");
  CHECK(suggestion("pool", {}).empty());
}

}  // namespace
}  // namespace gridcast
