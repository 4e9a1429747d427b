#include <type_traits>

#include "sim/base/units.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

using JobId = Id<struct Job>;
using SiteId = Id<struct Site>;
static_assert(!std::is_convertible_v<JobId, SiteId>);
static_assert(!std::is_constructible_v<JobId, SiteId>);
static_assert(!std::is_convertible_v<int, JobId>);

TEST_CASE("an id is an index, or none", "[id]") {
  CHECK_FALSE(JobId().valid());
  CHECK(JobId(0).valid());
  CHECK(JobId(7).index() == 7);
  CHECK(JobId(7) == JobId(7));
  CHECK(JobId(6) < JobId(7));
  CHECK(JobId() != JobId(0));
}

}  // namespace
}  // namespace gridcast::inline base
