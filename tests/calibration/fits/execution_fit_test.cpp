#include "calibration/fits/execution_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr std::size_t n_draws = 200;

std::vector<double> drawn_column(Fit const& fit, std::string const& name) {
  auto const found = std::find(fit.draws.columns.begin(), fit.draws.columns.end(), name);
  REQUIRE(found != fit.draws.columns.end());
  std::vector<double> values;
  for (auto const& row : fit.draws.rows) {
    values.push_back(row[static_cast<std::size_t>(found - fit.draws.columns.begin())]);
  }
  return values;
}

/// Median execution of each draw.
std::vector<double> median_executions(Fit const& fit, std::string const& site, int epochs) {
  auto const unpack = drawn_column(fit, "unpack_s." + site);
  auto const family = drawn_column(fit, "epoch_family." + site);
  auto const shape = drawn_column(fit, "epoch_shape." + site);
  auto const scale = drawn_column(fit, "epoch_scale_s." + site);
  auto const shift = drawn_column(fit, "epoch_shift_s." + site);
  std::vector<double> medians;
  for (std::size_t i = 0; i < unpack.size(); ++i) {
    Distribution const epoch{all_families()[static_cast<std::size_t>(family[i])], shape[i],
                             scale[i], shift[i]};
    medians.push_back(unpack[i] + epochs * epoch.quantile(0.5));
  }
  return medians;
}

Fit published_fit(std::vector<std::string> const& pool_sites = {}) {
  return execution_fit(published_records(pool_sites), 5, n_draws, RandomStreams(1, 0));
}

}  // namespace

TEST_CASE("The published executions come out, unpack and epochs together") {
  Fit const fit = published_fit();
  CHECK(median(median_executions(fit, "CHTC-Spark-CE1", 5)) == Approx(11237).epsilon(0.01));
  CHECK(median(median_executions(fit, "PDX-Coeus-CE1", 5)) == Approx(14846).epsilon(0.01));
  // With the two that were killed, the median is above that of those completed (17,608).
  std::vector<double> const argo = median_executions(fit, "GP-ARGO-ksu-backfill", 5);
  CHECK(quantile(argo, 0.05) < 18937);
  CHECK(quantile(argo, 0.95) > 18937);
  CHECK(fit.draws.rows.size() == n_draws);
}

TEST_CASE("Unpacking is measured where it shows and borrowed elsewhere") {
  Fit const fit = published_fit();
  Estimate const& measured = line(fit, "unpack_s.PDX-Coeus-CE1");
  CHECK(measured.estimate == Approx(977.5));
  CHECK(measured.events == 2);
  CHECK(measured.origin == Origin::fitted);
  CHECK_FALSE(not_identified(fit, "unpack_s.PDX-Coeus-CE1"));
  Estimate const& borrowed = line(fit, "unpack_s.CHTC-Spark-CE1");
  CHECK(borrowed.events == 0);
  CHECK(borrowed.origin == Origin::borrowed);
  CHECK(not_identified(fit, "unpack_s.CHTC-Spark-CE1"));
  // The 20-epoch pilot, not used here, puts it at 516 s.
  CHECK(borrowed.interval90.contains(516));
  CHECK(borrowed.interval90.high - borrowed.interval90.low >
        10 * (measured.interval90.high - measured.interval90.low));
}

TEST_CASE("One execution that shows the unpacking is taken at its word") {
  TableRecords records = published_records({});
  std::erase_if(records.wrong_outputs, [seen = 0](WrongOutputRecord const& job) mutable {
    return job.cause == WrongOutputCause::network_down && ++seen > 1;
  });
  Estimate const measured =
      line(execution_fit(records, 5, n_draws, RandomStreams(1, 0)), "unpack_s.PDX-Coeus-CE1");
  CHECK(measured.events == 1);
  CHECK(measured.interval90.high < 2 * measured.interval90.low);
}

TEST_CASE("5 epochs forecast the 20-epoch pilot") {
  Fit const fit = published_fit();
  double const pdx = median(median_executions(fit, "PDX-Coeus-CE1", 20));
  CHECK(pdx == Approx(56290).epsilon(0.05));
  CHECK(pdx == Approx(56057).epsilon(0.05));
  CHECK(median(median_executions(fit, "CHTC-Spark-CE1", 20)) == Approx(43339).epsilon(0.05));
}

TEST_CASE("The heavy tail of GP-ARGO kills as many as were killed") {
  Fit const fit = published_fit();
  Estimate const& family = line(fit, "epoch_family.GP-ARGO-ksu-backfill");
  CHECK(family.estimate == static_cast<double>(Family::lognormal));
  CHECK(line(fit, "epoch_shift_s.GP-ARGO-ksu-backfill").estimate > 1000);
  CHECK(family.events == 13);
  CHECK(family.censored == 3);
  CHECK_THAT(family.fit, has_text("P(execution > 72000 s at 5 epochs)"));
  CHECK_THAT(family.fit, has_text("seen in 2 of "));
}

TEST_CASE("Sites without jobs get draws from the spread between sites, and the file says so") {
  Fit const fit = published_fit({"Elsewhere"});
  CHECK(not_identified(fit, "epoch time at Elsewhere"));
  for (std::string const name : {"epoch_family", "epoch_shape", "epoch_scale_s", "epoch_shift_s"}) {
    CHECK(line(fit, name + ".Elsewhere").origin == Origin::borrowed);
    CHECK(line(fit, name + ".PDX-Coeus-CE1").origin == Origin::fitted);
  }
  std::vector<double> const there = median_executions(fit, "Elsewhere", 5);
  CHECK(median(there) == Approx(14000).epsilon(0.25));
  CHECK(quantile(there, 0.05) < 11000);
  CHECK(quantile(there, 0.95) > 18000);
}

TEST_CASE("A few executions pull a borrowed site towards them, censored ones from below") {
  history::JobTable table;
  RandomStream stream = test_stream(1);
  std::uint32_t proc = 0;
  for (std::string const site : {"A", "B", "C"}) {
    double const center = site == "A" ? 10000 : site == "B" ? 11000 : 12000;
    for (int i = 0; i < 20; ++i) {
      double const noise = 0.1 * normal_quantile(stream.uniform());
      table.rows.push_back(plain_job(proc++, site, center * std::exp(noise)));
    }
  }
  for (double const seconds : {30000.0, 31000.0, 29500.0}) {
    table.rows.push_back(plain_job(proc++, "Slow", seconds));
  }
  table.rows.push_back(plain_job(proc++, "Killed", 40000));
  table.rows.back().outcome = history::Outcome::held_duration;
  Fit const fit =
      execution_fit(make_table_records(table, {}, Bytes(1e9)), 5, n_draws, RandomStreams(1, 0));
  CHECK(median(median_executions(fit, "Slow", 5)) == Approx(30000).epsilon(0.1));
  CHECK(median(median_executions(fit, "Killed", 5)) > 30000);
  CHECK(not_identified(fit, "epoch time at Slow"));
}

TEST_CASE("A table too small for any site is pooled, a smaller one refused") {
  history::JobTable table;
  for (std::uint32_t i = 0; i < 6; ++i) {
    table.rows.push_back(plain_job(i, i % 2 == 0 ? "A" : "B", 10000 + 100 * i));
  }
  Fit const fit =
      execution_fit(make_table_records(table, {}, Bytes(1e9)), 5, n_draws, RandomStreams(1, 0));
  CHECK(median(median_executions(fit, "A", 5)) == Approx(10250).epsilon(0.05));
  table.rows.resize(4);
  CHECK_THROWS_AS(
      execution_fit(make_table_records(table, {}, Bytes(1e9)), 5, n_draws, RandomStreams(1, 0)),
      InputError);
}

TEST_CASE("A family that is not right in detail says how wide it is, relative to its median") {
  history::JobTable table;
  for (std::uint32_t i = 0; i < 40; ++i) {  // two kinds of machines, an hour apart
    table.rows.push_back(plain_job(i, "A", (i % 2 == 0 ? 7200 : 10800) + 10. * i));
  }
  Fit const fit =
      execution_fit(make_table_records(table, {}, Bytes(1e9)), 5, n_draws, RandomStreams(1, 0));
  auto const value = [&](std::string const& what) { return line(fit, what + ".A").estimate; };
  Distribution const best{all_families()[static_cast<std::size_t>(value("epoch_family"))],
                          value("epoch_shape"), value("epoch_scale_s"), value("epoch_shift_s")};
  double const width = best.quantile(0.95) - best.quantile(0.05);
  CHECK_THAT(line(fit, "epoch_family.A").fit,
             has_text(fmt::format("its 5 to 95 % range is {:.1f} % of the median",
                                  100 * width / best.quantile(0.5))));
}

TEST_CASE("Five completed executions are a site's own fit, four borrow") {
  history::JobTable table;
  std::uint32_t proc = 0;
  for (int i = 0; i < 5; ++i) table.rows.push_back(plain_job(proc++, "Five", 10000 + 200 * i));
  for (int i = 0; i < 4; ++i) table.rows.push_back(plain_job(proc++, "Four", 10000 + 200 * i));
  Fit const fit =
      execution_fit(make_table_records(table, {}, Bytes(1e9)), 5, n_draws, RandomStreams(1, 0));
  CHECK_FALSE(not_identified(fit, "epoch time at Five"));
  CHECK(not_identified(fit, "epoch time at Four"));
}

TEST_CASE("The same seed gives the same draws") {
  CHECK(published_fit().draws.rows == published_fit().draws.rows);
}

TEST_CASE("Executions that are all the same have an epoch with a width") {
  history::JobTable table;
  for (std::uint32_t i = 0; i < 30; ++i) table.rows.push_back(plain_job(i, "A", 10000));
  Fit const fit =
      execution_fit(make_table_records(table, {}, Bytes(137e9)), 5, 50, RandomStreams(1, 0));
  std::vector<double> const times = median_executions(fit, "A", 5);
  CHECK(median(times) == Approx(10000).epsilon(0.01));
  CHECK(quantile(times, 0.95) > quantile(times, 0.05));
  for (double const shape : drawn_column(fit, "epoch_shape.A")) CHECK(shape < 1e12);
}

}  // namespace gridcast::calibration
