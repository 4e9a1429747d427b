#include "sim/report/page/training_page.hpp"

#include <map>

#include "sim/report/page/report_page.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// 16 GPUs, of which one takes 1.5 s for what the others do in 1 s; 640 steps.
training::TrainingSetup one_slow() {
  training::TrainingSetup setup;
  setup.gpus = 16;
  setup.nodes = 2;
  setup.samples = 16 * 640;
  setup.profile.train.batch = 1;
  setup.gpu = "G";
  return setup;
}

training::TrainingEstimate of_one_slow() {
  training::TrainingEstimate estimate;
  estimate.step.forward = Seconds(0.25);
  estimate.step.backward = Seconds(0.75);
  estimate.step.straggling = Seconds(0.5);
  estimate.step_mean = Seconds(1.5);
  estimate.parts.computing = Seconds(640);
  estimate.parts.straggling = Seconds(320);
  estimate.total = Seconds(960);
  return estimate;
}

TEST_CASE("in each step the slowest computes and all others wait", "[training_page]") {
  auto const gantt = training_steps(one_slow(), of_one_slow());
  REQUIRE(gantt.lanes.size() == 16);
  std::map<std::uint32_t, std::map<std::uint8_t, Seconds>> time;
  for (auto const& bar : gantt.bars) time[bar.job][bar.phase] += bar.end - bar.start;
  auto const executing = static_cast<std::uint8_t>(GanttPhase::executing);
  auto const waiting = static_cast<std::uint8_t>(GanttPhase::waiting);
  constexpr double steps = 12;
  CHECK(time[0][executing] == Seconds(steps));
  CHECK(time[0][waiting] == Seconds(steps / 2));
  CHECK(time[15][executing] == Seconds(1.5 * steps));
  CHECK(time[15].count(waiting) == 0);
  CHECK_THAT(gantt.says, has_text("16 GPUs; in each step of 1.5 s all wait 500 ms"));
}

TEST_CASE("its events are in order, and the slowest gradient lets all go on", "[training_page]") {
  auto const gantt = training_steps(one_slow(), of_one_slow());
  REQUIRE(gantt.events.size() == 12 * 18);
  for (std::size_t i = 1; i < gantt.events.size(); ++i) {
    CHECK(std::get<0>(gantt.events[i]) >= std::get<0>(gantt.events[i - 1]));
  }
  CHECK_THAT(std::get<2>(gantt.events[0]), has_text("step 1 begins"));
  CHECK(std::get<1>(gantt.events[16]) == 15);
  CHECK(std::get<0>(gantt.events[16]) == Seconds(1.5));
}

TEST_CASE("the page says where the time goes, and its lines add up", "[training_page]") {
  auto const page = training_page(one_slow(), of_one_slow(),
                                  {"lesson", "T", "Q?", "g", "c", "speedup = 10.7", {}});
  CHECK(page.answer[0] ==
        "67 % of 16 min is computing and 33 % is not, mostly (33 %) waiting for the slowest "
        "worker.");
  CHECK(page.answer[1] == "speedup = 10.7");
  double sum = 0;
  for (auto const& row : page.sections[0].figures[0].data.rows) sum += std::get<double>(row[2]);
  CHECK(sum == 960);
}

}  // namespace
}  // namespace gridcast::report
