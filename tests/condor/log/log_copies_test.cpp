// Logs of the same jobs: the result is the same in any order of the files.
#include "sim/condor/log/log_copies.hpp"

#include <algorithm>

#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::string submission() { return event(0, 0, "Job submitted from host: <192.0.2.9:9618?sock=s>"); }
std::string began(int at) {
  return event(1, at, "Job executing on host: <192.0.2.1:9618?sock=a>",
               "\tGLIDEIN_ResourceName = \"A\"\n");
}
std::string vacated(int at) { return event(4, at, "Job was evicted.", "\t(0) CPU times\n"); }
std::string ended(int at) {
  return event(5, at, "Job terminated.", "\t(1) Normal termination (return value 0)\n");
}
std::string input(int from, int until) {
  return event(40, from, "Started transferring input files") +
         event(40, until, "Finished transferring input files");
}

std::string const whole =
    submission() + input(10, 20) + began(20) + vacated(25) + input(30, 35) + began(35) + ended(50);
std::string const whole_story =
    "0 submitted\n10 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n"
    "25 evicted unknown A\n30 matched A\n30 input_started A\n35 input_finished A\n35 executing A\n"
    "50 terminated A\n";

/// The history of two files, if it is the same in both orders.
std::string story_of(std::string const& a, std::string const& b) {
  TemporaryFile const first(a), second(b);
  std::string const one = story(condor::read_logs({first.path(), second.path()}).history);
  std::string const other = story(condor::read_logs({second.path(), first.path()}).history);
  return one == other ? one : "in one order:\n" + one + "in the other:\n" + other;
}

}  // namespace

TEST_CASE("The newer of two copies counts") {
  CHECK(story_of(whole, submission() + input(10, 20) + began(20)) == whole_story);
  CHECK(story_of(whole, submission()) == whole_story);
  CHECK(story_of(whole, whole) == whole_story);
}

TEST_CASE("A log that has itself a second time counts once") {
  auto const story_in_one = [](std::string const& text) {
    TemporaryFile const file(text);
    return story(condor::read_logs({file.path()}).history);
  };
  CHECK(story_in_one(whole + whole) == whole_story);
  CHECK(story_in_one(whole + whole + whole) == whole_story);
  std::string const until_hold = submission() + input(10, 20) + began(20);
  CHECK(story_in_one(until_hold + whole) == whole_story);
  CHECK(story_in_one(submission() + whole) == whole_story);
  // Cut within a second that has several events.
  CHECK(story_in_one(submission() + input(10, 20) + whole) == whole_story);
  CHECK(story_in_one(until_hold + vacated(25) + whole) == whole_story);
  // Of a log whose beginning is cut off.
  std::string const rest = began(20) + vacated(25) + input(30, 35) + began(35);
  CHECK(story_in_one(rest + rest + ended(50)) == story_in_one(rest + ended(50)));
}

TEST_CASE("A log whose latter part is appended again counts once") {
  auto const story_in_one = [](std::string const& text) {
    TemporaryFile const file(text);
    return story(condor::read_logs({file.path()}).history);
  };
  std::vector<std::string> const events = {submission(),  input(10, 20), began(20), vacated(25),
                                           input(30, 35), began(35),     ended(50)};
  for (std::size_t from = 1; from < events.size(); ++from) {
    std::string again;
    for (std::size_t i = from; i < events.size(); ++i) again += events[i];
    INFO("from event " << from);
    CHECK(story_in_one(whole + again) == whole_story);
    CHECK(story_in_one(whole + again + again) == whole_story);
  }
  // Then the log goes on.
  CHECK(story_in_one(submission() + input(10, 20) + began(20) + vacated(25) + began(20) +
                     vacated(25) + input(30, 35) + began(35) + ended(50)) == whole_story);
}

TEST_CASE("A last event that is appended again counts once behind another job's later event") {
  std::string const other =
      event(0, 40, "Job submitted from host: <192.0.2.9:9618?sock=s>", "", "002.000.000");
  auto const of_two = [&](std::string const& more) {
    TemporaryFile const file(submission() + input(10, 20) + began(20) + vacated(25) + other + more);
    return story(condor::read_logs({file.path()}).history);
  };
  CHECK(of_two(vacated(25) + other) == of_two(""));
}

TEST_CASE("Events behind a clock that went back are no copy") {
  TemporaryFile const file(submission() + input(10, 20) + began(20) + vacated(15) + input(16, 17) +
                           began(17) + ended(50));
  auto const log = condor::read_logs({file.path()});
  CHECK(story(log.history) ==
        "0 submitted\n10 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n"
        "20 evicted unknown A\n20 matched A\n20 input_started A\n20 input_finished A\n"
        "20 executing A\n50 terminated A\n");
}

TEST_CASE("A log with transfers counts before one without") {
  CHECK(story_of(whole, submission() + began(20) + vacated(25) + began(35) + ended(50)) ==
        whole_story);
}

TEST_CASE("The log with a job's end counts, though the other has more events") {
  std::string const nodes = submission() + began(35) + ended(50);
  CHECK(story_of(nodes, submission() + input(10, 20) + began(20) + vacated(25)) ==
        "0 submitted\n35 matched A\n35 executing A\n50 terminated A\n");
}

TEST_CASE("A piece of a log beside the whole counts nothing twice") {
  CHECK(story_of(whole, began(20) + vacated(25) + input(30, 35)) == whole_story);
  CHECK(story_of(whole, input(30, 35) + began(35) + ended(50)) == whole_story);
  CHECK(story_of(whole, ended(50)) == whole_story);
  CHECK(story_of(whole, began(35)) == whole_story);
}

TEST_CASE("Pieces that overlap are one log") {
  CHECK(story_of(submission() + input(10, 20) + began(20) + vacated(25),
                 vacated(25) + input(30, 35) + began(35) + ended(50)) == whole_story);
  CHECK(story_of(submission() + input(10, 20) + began(20) + vacated(25) + input(30, 35),
                 began(20) + vacated(25) + input(30, 35) + began(35) + ended(50)) == whole_story);
}

TEST_CASE("A log goes on in its next part, within the second too") {
  CHECK(story_of(submission() + input(10, 20) + began(20),
                 vacated(25) + input(30, 35) + began(35) + ended(50)) == whole_story);
  CHECK(story_of(submission() + input(10, 20),
                 began(20) + vacated(25) + input(30, 35) + began(35) + ended(50)) == whole_story);
}

TEST_CASE("Which file is left out is said, once a job, with its place") {
  TemporaryFile const newer(whole), older(submission() + input(10, 20));
  for (auto const& files :
       {std::vector{newer.path(), older.path()}, std::vector{older.path(), newer.path()}}) {
    auto const report = condor::read_logs(files).report;
    auto const found = std::find_if(
        report.warnings.begin(), report.warnings.end(),
        [](condor::LogWarning const& each) { return each.what.starts_with("a job is in "); });
    REQUIRE(found != report.warnings.end());
    CHECK(found->where.file == older.path().string());
    CHECK(found->where.line == 1);
    CHECK(found->count == 1);
    CHECK(found->what == "a job is in " + newer.path().string() +
                             " as well, which has more of it; its events here are left out");
  }
}

}  // namespace gridcast::test
