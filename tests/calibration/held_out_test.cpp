#include "calibration/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/calibrate.hpp"
#include "sim/base/random.hpp"
#include "tests/calibration/made_campaign.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {
namespace {

history::JobHistory made() { return test::MadePlay(test::MadeCampaign(), 3).run_all(); }

TEST_CASE("The parts of a record are all of it, the first executions first", "[held_out]") {
  auto const history = made();
  auto const [first, later] = parts_of(history);
  CHECK(first.jobs.size() == 40);
  CHECK(first.jobs.size() + later.jobs.size() == history.jobs.size());
  CHECK(first.events.size() + later.events.size() == history.events.size());
  CHECK(first.transfers.size() + later.transfers.size() == history.transfers.size());
  auto const begins = [](history::JobHistory const& part) {
    std::vector<double> at(part.jobs.size(), 1e9);
    for (auto const& event : part.events) {
      auto& begin = at[event.job.index()];
      if (event.kind == history::EventKind::executing) begin = std::min(begin, event.at.value());
    }
    return at;
  };
  auto const early = begins(first), late = begins(later);
  CHECK(*std::max_element(early.begin(), early.end()) <=
        *std::min_element(late.begin(), late.end()));
}

TEST_CASE("An unseen site behaves like one of the seen sites", "[held_out]") {
  // ln speed of four sites ~ N(0, 0.5^2), drawn anew in each case: the fifth lies inside the
  // central 90 % of what is drawn for it in 90 % of the cases.
  auto stream = RandomStreams(4, 0).stream(Purpose::test, 8);
  constexpr int cases = 300;
  int inside = 0;
  for (int i = 0; i < cases; ++i) {
    DrawTable draws{{"work_s", "speed.A", "speed.B", "speed.C", "speed.D", "slots.A"}, {}};
    std::vector<double> row = {10};
    for (int site = 0; site < 4; ++site) {
      row.push_back(std::exp(0.5 * normal_quantile(stream.uniform())));
    }
    row.push_back(4);
    draws.rows.assign(200, row);
    add_unseen_site(draws, "E", RandomStreams(4, 1).stream(Purpose::test, i));
    REQUIRE(draws.columns.size() == 8);
    CHECK(draws.columns[6] == "speed.E");
    CHECK(draws.rows[7][7] == 4);
    std::vector<double> values;
    for (auto const& drawn : draws.rows) values.push_back(drawn[6]);
    double const truth = std::exp(0.5 * normal_quantile(stream.uniform()));
    inside += quantile(values, 0.05) <= truth && truth <= quantile(values, 0.95) ? 1 : 0;
  }
  // Binomial: a standard error of 1.7 points, four either way.
  CHECK(inside == Approx(270).margin(21));
}

}  // namespace
}  // namespace gridcast::calibration
