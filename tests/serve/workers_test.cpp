#include <atomic>
#include <sys/resource.h>

#include "sim/base/error.hpp"
#include "sim/serve/entrance.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

TEST_CASE("Workers do all tasks before they end") {
  std::atomic<int> done = 0;
  Workers workers(4);
  for (int i = 0; i < 100; ++i) workers.add([&done] { ++done; });
  workers.finish();
  CHECK(done == 100);
}

// The sanitizers reserve more than any limit leaves.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("Threads without room for their stacks are refused with the remedy") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  rlimit const little{rlim_t{1} << 31U, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_AS, &little) == 0);
  CHECK_THROWS_WITH(Workers(4000), test::has_text("ulimit -v"));  // of 8 MB each
  REQUIRE(::setrlimit(RLIMIT_AS, &before) == 0);
}
#endif

}  // namespace
}  // namespace gridcast::serve
