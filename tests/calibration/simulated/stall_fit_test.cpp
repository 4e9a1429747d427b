#include "calibration/simulated/stall_fit.hpp"

#include <cmath>

#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// A job that stalled so often and lost so many seconds by it.
history::JobRow stalled(std::uint32_t proc, std::string const& site, int stalls, double lost) {
  history::JobRow row = plain_job(proc, site, 1000);
  row.stalls = stalls;
  row.transfer_total = Seconds(500 + lost);
  return row;
}

}  // namespace

TEST_CASE("The summaries of a table of stalls, by hand") {
  history::JobTable table;
  table.rows = {stalled(0, "A", 0, 0), stalled(1, "A", 2, 2 * 3750 + 7200),
                stalled(2, "A", 13, 48750), stalled(3, "B", 10, 37500), stalled(4, "B", 0, 0)};
  history::JobRow not_found = plain_job(5, "A", 1);
  not_found.outcome = history::Outcome::held_404;
  table.rows.push_back(not_found);
  std::vector<double> const s = stall_summary(table);
  REQUIRE(s.size() == stall_summary_names().size());
  CHECK(s[0] == Approx(2.0 / 5));               // none
  CHECK(s[1] == Approx(1.0 / 5));               // 1 to 3
  CHECK(s[2] == Approx(2.0 / 5));               // ten or more
  CHECK(s[3] == Approx(std::log1p(25.0 / 5)));  // stalls a job
  CHECK(s[4] == Approx(std::log1p(37.0 / 5)));  // variance 148 / 4 over mean 5
  CHECK(s[5] == Approx(1.0 / 5));               // 12 to 14
  CHECK(s[6] == Approx(std::log1p(10.0)));
  // Neighbours at a site: (0, 2), (2, 13), (10, 0); both stalled in one, half of 3 x 2 stalled:
  // 4/6.
  CHECK(s[7] == Approx((1.0 / 3 - 4.0 / 9) / (2.0 / 9)));
  CHECK(s[8] == Approx(std::log(0.01 + (14700.0 + 48750 + 37500) / 3600 / 5)));
  CHECK(s[9] == Approx(std::log1p(2.0 / 3)));  // two hours beyond, over three stalled jobs
  CHECK(s[10] == Approx(1.0 / 3));
}

TEST_CASE("Neighbours are jobs one after the other of one cluster and site") {
  auto const job = [](std::uint32_t cluster, std::uint32_t proc, std::string const& site,
                      int stalls, double last) {
    history::JobRow row = stalled(proc, site, stalls, 100);
    row.name.cluster = cluster;
    row.transfer_last = Seconds(last);
    return row;
  };
  history::JobTable table;
  table.rows = {
      job(1, 0, "A", 3, 100),   job(1, 1, "A", 3, 101),    // lockstep, the same number
      job(1, 2, "A", 13, 104),                             // 3 % longer
      job(1, 3, "A", 0, 105),   job(1, 4, "A", 0, 104.5),  // no stall is no number of them
      job(1, 6, "A", 0, 104.5), job(2, 7, "A", 0, 104.5), job(2, 8, "B", 0, 104.5)};
  std::vector<double> const s = stall_summary(table);
  CHECK(s[11] == Approx(1.0 / 8));
  CHECK(s[12] == Approx(3.0 / 4));
  CHECK(s[13] == Approx(1.0 / 4));
  CHECK(s[14] == Approx(std::log(105)));
}

TEST_CASE("A table without stalls, and one without jobs, have summaries too") {
  history::JobTable table;
  CHECK(stall_summary(table) == std::vector<double>(15, 0));
  table.rows = {stalled(0, "A", 0, 0), stalled(1, "A", 0, 0)};
  std::vector<double> const s = stall_summary(table);
  CHECK(s[0] == 1);
  CHECK(s[7] == 0);
  CHECK(s[8] == Approx(std::log(0.01)));
  CHECK(s[10] == 0);
}

TEST_CASE(
    "The stalls nearest in the number of GPUs, of the same links, their first eleven columns") {
  StallFitResult fit;
  for (double const gpus : {4.0, 50.0, 9.0, 20.0}) {
    Proposal proposal;
    for (int k = 0; k < 13; ++k) proposal.set("c" + std::to_string(k), gpus + k);
    fit.kept.push_back(proposal);
    fit.kept_gpus.push_back(gpus);
    fit.kept_links.push_back(1);
  }
  StallProposals const nearest = nearest_stalls(fit, 1, 10, 2);
  REQUIRE(nearest.size() == 2);
  CHECK(nearest[0].columns.size() == 11);
  CHECK(nearest[0].values.front() == 9);
  CHECK(nearest[1].values.front() == 20);  // a factor of 2 away, 4 is 2.5
  CHECK(nearest_stalls(fit, 1, 10, 20).size() == 4);
  CHECK(nearest_stalls(fit, 0, 10, 20).size() == 1);  // the first guess
  CHECK(first_guess().front().columns.size() == 11);
}

}  // namespace gridcast::calibration
