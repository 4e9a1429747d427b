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

// Names as Rubin's bps writes them: UUID_LABEL_DATAID.
TEST_CASE("nodes whose names begin with a UUID are programs by their labels", "[ran_programs]") {
  std::string const one = "057c8caf-66f6-4612-abf7-cdea5b666b1b_";
  std::string const other = "0526EF70-0A1B-4CCC-8dde-691406be0000_";
  CHECK(program_of_node(one + "isr") == "isr");
  CHECK(program_of_node(other + "isr") == "isr");
  CHECK(program_of_node(one + "isr_903334_20") == program_of_node(other + "isr_903336_7"));
  CHECK(program_of_node(one + "isr") != program_of_node(one + "calibrate"));
  // Other names with such letters are no UUID.
  CHECK(program_of_node("feed_12") == "feed");
  CHECK(program_of_node("057c8caf-66f6-4612-abf7_train-3") == "057c8caf-66f6-4612-abf7_train");
  CHECK(program_of_node("train_057c8caf-66f6-4612-abf7-cdea5b666b1b") !=
        program_of_node("test_057c8caf-66f6-4612-abf7-cdea5b666b1b"));
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
