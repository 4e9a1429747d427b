#include "sim/history/per_job.hpp"

#include <string>
#include <vector>

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using Jobs = std::vector<std::size_t>;

TEST_CASE("the state of a job is made on demand and forgotten", "[per_job]") {
  PerJob<std::string> words;
  CHECK(words.find(Id<Job>(3)) == nullptr);
  words[Id<Job>(3)] = "three";
  std::string& one = words[Id<Job>(1)];
  for (std::size_t j = 10; j < 1000; ++j) words[Id<Job>(j)] = "more";
  one = "one";  // the reference is still good
  CHECK(*words.find(Id<Job>(3)) == "three");
  CHECK(*words.find(Id<Job>(1)) == "one");
  words.forget(Id<Job>(3));
  words.forget(Id<Job>(3));
  words.forget(Id<Job>(5000));
  CHECK(words.find(Id<Job>(3)) == nullptr);
  CHECK(words[Id<Job>(7)].empty());  // in the place of job 3
  CHECK(words[Id<Job>(3)].empty());
  CHECK(*words.find(Id<Job>(1)) == "one");
}

TEST_CASE("jobs come in their order, each once its turn has come", "[per_job]") {
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

TEST_CASE("the number of waiting jobs stays within its limit, and no job comes twice",
          "[per_job]") {
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
