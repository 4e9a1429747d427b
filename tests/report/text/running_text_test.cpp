#include "sim/report/text/running_text.hpp"

#include <algorithm>
#include <sstream>

#include "sim/report/text/brief.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// 40 of 60 jobs are over; the rest ends in ten minutes.
RunningResult result() {
  RunningResult running;
  running.jobs = 60;
  running.over = running.succeeded = 40;
  running.running = 20;
  running.wanted = 54;
  running.futures = 100;
  running.wanted_probability = 0.7;
  running.wanted_at_s = {300, 500, 900, {500}};
  running.end_s = {400, 600, 1000};
  running.final_successes = {50, 58, 60};
  return running;
}

std::string long_host(int number) {
  return "host-" + std::to_string(number) + ".a-rather-long-name-of-a-site.example";
}

TEST_CASE("the time of the wanted jobs is shown while it comes before the end", "[running_text]") {
  CHECK(running_line(result()) ==
        "40 of 60 jobs over, 40 with success; 20 in slots | 54 succeed in 8.33 min | all over in "
        "10 min");
  // Futures with too few successes end early: the median end then comes first.
  auto early = result();
  early.wanted_at_s.middle = 700;
  early.wanted_if_s = {300, 540, 900, {540}};
  CHECK_THAT(running_line(early), has_text("54 succeed in 9 min | all over in 10 min"));
  early.wanted_if_s.middle = 650;
  CHECK(running_line(early) ==
        "40 of 60 jobs over, 40 with success; 20 in slots | 54 succeed: 70 % probable | all over "
        "in 10 min");
  CHECK_THAT(brief_running(early, endless_screen()),
             has_text("54 jobs succeed with 70 % probability") && !has_text("have succeeded by"));
}

TEST_CASE("a record without GPUs has slot hours", "[running_text]") {
  auto running = result();
  running.gpu_hours = {5, 6.6, 9};
  running.effects = {{"release", {-9, -5, -2}, {}, {1, 2, 3}}};
  CHECK_THAT(running_text(running, endless_screen()), has_text("GPU hours"));
  running.without_gpus = true;
  CHECK_THAT(running_text(running, endless_screen()),
             has_text("slot hours") && has_text("+2 slot hours") && !has_text("GPU"));
}

TEST_CASE("times are in whole seconds, and small shares are not zero", "[running_text]") {
  auto soon = result();
  soon.wanted_at_s.middle = 0.517;
  soon.wanted_probability = 0.997;
  CHECK_THAT(brief_running(soon, endless_screen()),
             has_text("in 1 s") && has_text("never in less than"));
}

TEST_CASE("a record without dates has times from now", "[running_text]") {
  auto running = result();
  CHECK_THAT(brief_running(running, endless_screen()),
             has_text("54 jobs succeed in 8.33 min (90 %"));
  running.start_unix = 1'795'000'000;  // 2026-11-18 11:06:40
  CHECK_THAT(brief_running(running, endless_screen()),
             has_text("54 jobs have succeeded by 2026-11-18 11:15, in 8.33 min (90 %"));
  running.wanted = 1;
  running.succeeded = 0;
  running.start_unix.reset();
  CHECK_THAT(brief_running(running, endless_screen()), has_text("1 job succeeds in 8.33 min"));
}

TEST_CASE("changes that help are apart from those that do not", "[running_text]") {
  auto running = result();
  running.effects = {{"resubmit 3 stuck jobs", {-100, 5, 90}, {-2, -1, 0}, {0, 0.01, 0}},
                     {"release 2 held jobs", {0, 0, 0}, {2, 2, 2}, {0, 3, 0}}};
  auto const text = brief_running(running, endless_screen());
  CHECK_THAT(
      text,
      has_text("release 2 held jobs: end 0 (0 to 0), +2 successes, +3 GPU hours\n") &&
          has_text("resubmit 3 stuck jobs: end +5 s (-100 s to +90 s), -1 success (-2 to +0)\n"));
  CHECK(text.find("that help") < text.find("release"));
  CHECK(text.find("release") < text.find("of no sure help"));
  CHECK(text.find("of no sure help") < text.find("resubmit"));
}

TEST_CASE("twelve lines of eighty columns hold long names", "[running_text]") {
  auto running = result();
  for (int job = 0; job < 5; ++job) {
    running.delaying.push_back({"123456." + std::to_string(job),
                                "has executed for 3 h (half take 2 h) on " + long_host(job) +
                                    ", after 12 without a result",
                                0.2});
    running.effects.push_back({"avoid host " + long_host(job), {-10000, -1, 99999}, {}, {}});
  }
  std::istringstream lines(brief_running(running, endless_screen()));
  std::size_t count = 0, widest = 0;
  for (std::string line; std::getline(lines, line); ++count) widest = std::max(widest, line.size());
  CHECK(count <= most_brief_lines);
  CHECK(widest <= brief_width);
}

TEST_CASE("a guess names no jobs that delay", "[running_text]") {
  auto running = result();
  running.delaying = {{"1.0", "has waited", 0.9}};
  CHECK_THAT(brief_running(running, endless_screen()), has_text("90 % 1.0 has waited"));
  running.guessed = true;
  CHECK_THAT(brief_running(running, endless_screen()), !has_text("has waited"));
}

}  // namespace
}  // namespace gridcast::report
