#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

JobLabel label(std::string const& executable, std::string const& arguments = "") {
  return {.executable = executable, .arguments = arguments};
}

TEST_CASE("the record lists its programs, the ones with the most jobs first", "[ran_programs]") {
  JobHistory history;
  CHECK(ran_programs(history, true).empty());
  history.labels = {label(""), label("/a/debug", "1"), label("/a/train", "2"), label("/a/train"),
                    label("/a/train", "2")};
  CHECK(ran_programs(history, false) ==
        std::vector<RanProgram>{{"/a/train", "2"}, {"/a/debug", "1"}, {"/a/train", ""}});
}

TEST_CASE("arguments that no job has are reported by ads alone", "[ran_programs]") {
  JobHistory history;
  history.labels = {label("/a/train"), label("/a/train")};
  CHECK(ran_programs(history, true) == std::vector<RanProgram>{{"/a/train", ""}});
  CHECK(ran_programs(history, false) == std::vector<RanProgram>{{"/a/train"}});
}

TEST_CASE("a hundred programs of a sweep are kept", "[ran_programs]") {
  JobHistory history;
  for (int job = 0; job < 150; ++job) history.labels.push_back(label("x", std::to_string(job)));
  history.labels.push_back(label("x", "149"));
  auto const ran = ran_programs(history, true);
  REQUIRE(ran.size() == 100);
  CHECK(ran[0] == RanProgram{"x", "149"});
  CHECK(ran[1] == RanProgram{"x", "0"});
  CHECK(ran[99] == RanProgram{"x", "98"});
}

}  // namespace
}  // namespace gridcast::history
