#include "sim/base/index_set.hpp"

#include <set>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

std::vector<std::uint32_t> members(IndexSet const& set) { return {set.begin(), set.end()}; }

TEST_CASE("an index set behaves as std::set does", "[index_set]") {
  // Members up to what takes one, two, three and four levels.
  for (std::uint32_t const most : {64u, 4000u, 200'000u, 5'000'000u}) {
    RandomStream random = RandomStreams(7, most).stream(Purpose::parameters, 0);
    IndexSet set;
    std::set<std::uint32_t> model;
    for (int i = 0; i < 3000; ++i) {
      std::uint32_t const member = random.below(most);
      if (random.below(3) > 0) {
        set.insert(member);
        model.insert(member);
      } else {
        REQUIRE(set.erase(member) == model.erase(member));
      }
      REQUIRE(set.size() == model.size());
      REQUIRE(set.contains(member) == model.contains(member));
      REQUIRE(set.empty() == model.empty());
      if (!model.empty()) REQUIRE(*set.begin() == *model.begin());
    }
    CHECK(members(set) == std::vector<std::uint32_t>(model.begin(), model.end()));
  }
}

TEST_CASE("an empty index set has no first member", "[index_set]") {
  IndexSet set;
  CHECK(set.begin() == set.end());
  set.insert(100'000);
  set.erase(100'000);
  CHECK(set.begin() == set.end());
}

}  // namespace
}  // namespace gridcast::inline base
