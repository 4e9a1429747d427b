#include "sim/history/job_order.hpp"

#include <vector>

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using Jobs = std::vector<std::size_t>;

TEST_CASE("jobs come in their order, each once its turn has come", "[job_order]") {
  JobOrder order;
  Jobs seen;
  auto const use = [&](Id<Job> job) { seen.push_back(job.index()); };
  order.settled(Id<Job>(2), use);
  CHECK(seen.empty());
  order.settled(Id<Job>(0), use);
  CHECK(seen == Jobs{0});
  order.settled(Id<Job>(1), use);
  CHECK(seen == Jobs{0, 1, 2});
  order.settled(Id<Job>(4), use);
  order.finish(6, use);
  CHECK(seen == Jobs{0, 1, 2, 3, 4, 5});
}

TEST_CASE("no more jobs wait than may, and none comes twice", "[job_order]") {
  JobOrder order(3);
  Jobs seen;
  auto const use = [&](Id<Job> job) { seen.push_back(job.index()); };
  for (std::size_t job : {5, 4, 3}) order.settled(Id<Job>(job), use);
  CHECK(seen.empty());
  order.settled(Id<Job>(2), use);  // job 0 is held for weeks
  CHECK(seen == Jobs{2});
  order.settled(Id<Job>(1), use);
  CHECK(seen == Jobs{2, 1});
  order.settled(Id<Job>(0), use);
  CHECK(seen == Jobs{2, 1, 0, 3, 4, 5});
  order.finish(7, use);
  CHECK(seen == Jobs{2, 1, 0, 3, 4, 5, 6});
}

}  // namespace
}  // namespace gridcast::history
