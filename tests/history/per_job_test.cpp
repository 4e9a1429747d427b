#include "sim/history/per_job.hpp"

#include <string>

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

TEST_CASE("what is kept of a job is made when asked for and forgotten", "[per_job]") {
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

}  // namespace
}  // namespace gridcast::history
