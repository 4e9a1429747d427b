
#include <algorithm>
#include <cmath>

#include "sim/base/random.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/process_fits.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr std::size_t n_draws = 400;

Fit fit_of(TableRecords const& records) { return table_columns(records, n_draws); }

/// `n` jobs without any trouble.
TableRecords quiet(std::uint32_t n) {
  history::JobTable table;
  for (std::uint32_t i = 0; i < n; ++i) table.rows.push_back(plain_job(i, "A", 10000));
  return make_table_records(table, {}, Bytes(137e9));
}

}  // namespace

TEST_CASE("Events of the published campaign") {
  EventCounts const counts = count_events(published_records());
  CHECK(counts.jobs == 100);
  CHECK(counts.stalls == 232);
  CHECK(counts.holds_released == 7);
  CHECK(counts.not_found.events == 1);
  CHECK(counts.not_found.hits == 15);
  CHECK(counts.single_404 == 1);
  CHECK(counts.network_down.events == 1);
  CHECK(counts.network_down.hits == 2);
  CHECK(counts.corrupt == 1);
  CHECK(counts.corrupt_seconds == 33);
  CHECK(counts.held_other_decisions == 4);  // the shock, the single 404, two killed at the limit
  CHECK(counts.executed_jobs == 84);
  CHECK(counts.executions == 89);
  CHECK(counts.attempts == 329);  // 239 failed, 84 succeeded, 5 evicted later, 1 single 404
}

TEST_CASE("Evictions of the published campaign and where they could have happened") {
  std::vector<SiteCount> const sites = count_evictions(
      published_records({"CHTC-Spark-CE1", "PDX-Coeus-CE1", "GP-ARGO-ksu-backfill"}));
  REQUIRE(sites.size() == 3);
  CHECK(sites[0].events == 4);
  CHECK(sites[1].events == 0);
  CHECK(sites[2].events == 1);
  // Executions, last transfers and retried time of the rows: all that was used but slots' overhead.
  double const exposure = sites[0].exposure + sites[1].exposure + sites[2].exposure;
  CHECK(exposure == Approx(2740283.0).epsilon(1e-9));
}

TEST_CASE("Neighbours fail together, others apart") {
  history::JobTable table;
  for (std::uint32_t const proc : {1u, 2u, 5u, 9u, 20u, 21u}) {
    table.rows.push_back(plain_job(proc, "A", 1));
    table.rows.back().outcome = history::Outcome::held_404;
    table.rows.back().execute.clear();
  }
  for (std::uint32_t const proc : {30u, 33u, 37u}) {
    table.rows.push_back(plain_job(proc, "A", 900));
    table.rows.back().outcome = history::Outcome::wrong_output;
  }
  table.rows.push_back(plain_job(31, "B", 900));
  table.rows.back().outcome = history::Outcome::wrong_output;
  EventCounts const counts = count_events(make_table_records(table, {}, Bytes(137e9)));
  CHECK(counts.not_found.events == 2);
  CHECK(counts.not_found.hits == 5);
  CHECK(counts.single_404 == 1);
  CHECK(counts.network_down.events == 3);
  CHECK(counts.network_down.hits == 4);
}

TEST_CASE("Posteriors agree with the conjugate families") {
  // scipy 1.10.1: 5 %, 50 % and 95 % of beta(7.5, 0.5), beta(1.5, 328.5), gamma(1.5) / 86
  // (the fourteen starts that met the shock could not set it off), 1 + gamma(14.5).
  Fit const fit = fit_of(published_records());
  auto const check = [&](std::string const& name, double low, double middle, double high) {
    CAPTURE(name);
    CHECK(line(fit, name).interval90.low == Approx(low).epsilon(0.05));
    CHECK(line(fit, name).estimate == Approx(middle).epsilon(0.02));
    CHECK(line(fit, name).interval90.high == Approx(high).epsilon(0.05));
  };
  check("release_transfer_hold", 0.76753522, 0.96913291, 0.99972902);
  check("spurious_404", 0.00053498, 0.00359198, 0.01181518);
  check("not_found_per_start", 0.00204562, 0.01375566, 0.04543446);
  check("not_found_mean_hits", 9.85418309, 15.16806343, 22.2784839);
  CHECK(line(fit, "release_other_hold").interval90.high == Approx(0.36248681).epsilon(0.05));
  CHECK(line(fit, "hold_on_failure").estimate == Approx(7.0 / 239).epsilon(0.05));
}

TEST_CASE("Events never seen have an interval, not zero") {
  Fit const fit = fit_of(quiet(50));
  for (std::string const name : {"pilot_kill_per_s.A", "spurious_404", "not_found_per_start",
                                 "network_down_per_start", "corrupt_input"}) {
    CAPTURE(name);
    CHECK(line(fit, name).events == 0);
    CHECK(line(fit, name).estimate > 0);
    CHECK(line(fit, name).interval90.low > 0);
    CHECK(line(fit, name).interval90.high > line(fit, name).estimate);
  }
  CHECK(line(fit, "not_found_per_start").interval90.high < 0.1);
  for (std::size_t i = 0; i < fit.draws.columns.size(); ++i) {
    if (fit.draws.columns[i].ends_with("_lasts_s")) continue;
    for (auto const& row : fit.draws.rows) CHECK(row[i] > 0);
  }
}

TEST_CASE(
    "A table does not show whether an event lasts for starts or for a time; each has one half") {
  Fit const fit = fit_of(quiet(50));
  for (std::string const name : {"not_found_lasts_s", "network_down_lasts_s"}) {
    CHECK(not_identified(fit, name));
    auto const column = static_cast<std::size_t>(
        std::find(fit.draws.columns.begin(), fit.draws.columns.end(), name) -
        fit.draws.columns.begin());
    std::size_t in_starts = 0;
    for (auto const& row : fit.draws.rows) {
      in_starts += row[column] == 0 ? 1 : 0;
      CHECK((row[column] == 0 || (row[column] >= 60 && row[column] <= 7200)));
    }
    CHECK(2 * in_starts == fit.draws.rows.size());
  }
}

TEST_CASE("A process without events is listed with its prior") {
  Fit const fit = fit_of(quiet(50));
  CHECK(not_identified(fit, "http_abort"));
  CHECK(not_identified(fit, "hold_on_failure"));
  CHECK(not_identified(fit, "not_found_mean_hits"));
  CHECK(not_identified(fit, "corrupt_execution_s"));
  CHECK(not_identified(fit, "release_transfer_hold"));
  CHECK_FALSE(not_identified(fit, "spurious_404"));
  CHECK(line(fit, "not_found_mean_hits").interval90.low >= 1);
  CHECK(line(fit, "not_found_mean_hits").interval90.high <= 50);
}

TEST_CASE(
    "A line says whether its value is of events, of the other sites, of a report or of a prior") {
  auto const origin = [](Fit const& fit, std::string const& name) {
    CAPTURE(name);
    return line(fit, name).origin;
  };
  Fit published = fit_of(published_records({"CHTC-Spark-CE1", "PDX-Coeus-CE1"}));

  for (std::string const name :
       {"pilot_kill_per_s.CHTC-Spark-CE1", "hold_on_failure", "hold_on_stall", "spurious_404",
        "not_found_per_start", "network_down_mean_hits", "corrupt_execution_s",
        "release_delay_mean_s", "overhead_shape"}) {
    CHECK(origin(published, name) == Origin::fitted);
  }
  CHECK(origin(published, "pilot_kill_per_s.PDX-Coeus-CE1") == Origin::borrowed);
  CHECK(origin(published, "release_other_hold") == Origin::by_default);
  CHECK(origin(published, "http_abort") == Origin::stated);
  Fit const none = fit_of(quiet(50));
  history::JobRow without_times = plain_job(0, "A", 10000);
  without_times.slot_busy.clear();
  Fit const no_delays =
      table_columns(make_table_records({{without_times}}, {}, Bytes(1e9)), n_draws, "delays");
  for (std::string const name : {"pilot_kill_per_s.A", "hold_on_failure", "hold_on_stall",
                                 "not_found_mean_hits", "network_down_per_start", "corrupt_input",
                                 "corrupt_execution_s", "release_transfer_hold"}) {
    CHECK(origin(none, name) == Origin::by_default);
  }
  for (std::string const name : {"release_delay_mean_s", "overhead_shape", "overhead_scale_s"}) {
    CHECK(origin(no_delays, name) == Origin::by_default);
  }
}

TEST_CASE("Probabilities stay probabilities") {
  for (std::uint32_t const jobs : {5u, 100u}) {
    Fit const fit = fit_of(quiet(jobs));
    for (std::size_t i = 0; i < fit.draws.columns.size(); ++i) {
      std::string const& name = fit.draws.columns[i];
      auto const* const column = scenario::find_draw_column(name);
      if (column == nullptr || column->allowed != scenario::Allowed::probability) continue;
      for (auto const& row : fit.draws.rows) CHECK((row[i] >= 0 && row[i] <= 1));
    }
  }
}

TEST_CASE("The retried time beyond stalls is release delay") {
  // Six jobs, seven holds: 11655 + 6895 + 5788 + 2846 + 10161 + 10975 = 48320 s.
  Fit const fit = table_columns(published_records(), 400, "delays");
  Estimate const& delay = line(fit, "release_delay_mean_s");
  CHECK(delay.events == 7);
  CHECK(delay.estimate == Approx(48320.0 / 7));
  // scipy 1.10.1: 48320 / gamma(7) at 95 % and 5 %.
  CHECK(delay.interval90.low == Approx(4080.26).epsilon(0.02));
  CHECK(delay.interval90.high == Approx(14707.87).epsilon(0.02));
}

TEST_CASE("A stall takes 3750 s of the retried time, and the line has the rest") {
  history::JobTable table;
  table.rows = {plain_job(0, "A", 1000)};
  table.rows[0].stalls = 2;
  table.rows[0].holds_released = 3;
  table.rows[0].transfer_total = Seconds(500 + 2 * 3750 + 5000 * 3600.0);
  Fit const fit = table_columns(make_table_records(table, {}, Bytes(1e9)), 50, "delays");
  Estimate const& delay = line(fit, "release_delay_mean_s");
  CHECK(delay.estimate == Approx(5000 * 3600.0 / 3));
  CHECK_THAT(delay.method, has_text("exponential; 5000.0 h left of retried time after 3750 s a "
                                    "stall, over 3 holds; 1/mean ~ Gamma(3, 5000.0 h)"));
}

TEST_CASE("Overhead is a few seconds") {
  Fit const fit = table_columns(published_records(), 400, "delays");
  Estimate const& shape = line(fit, "overhead_shape");
  Estimate const& scale = line(fit, "overhead_scale_s");
  double sum = 0;
  int rows = 0;
  for (JobRecord const& job : published_records().jobs) {
    if (!job.overhead) continue;
    sum += *job.overhead;
    ++rows;
    CHECK(*job.overhead >= 1);
    CHECK(*job.overhead <= 19);
  }
  CHECK(shape.events == static_cast<std::size_t>(rows));
  // The mean of a gamma fit is the sample's.
  CHECK(shape.estimate * scale.estimate == Approx(sum / rows).epsilon(1e-4));
}

TEST_CASE("A gamma overhead is recovered") {
  RandomStream stream = test_stream(1);
  history::JobTable table;
  for (std::uint32_t i = 0; i < 300; ++i) {
    table.rows.push_back(plain_job(i, "A", 10000));
    double const overhead = gamma_quantile(stream.uniform(), 3, 2);
    table.rows.back().slot_busy = {Seconds(10500 + overhead)};
  }
  Fit const fit = table_columns(make_table_records(table, {}, Bytes(1e9)), 200, "delays");
  CHECK(line(fit, "overhead_shape").interval90.contains(3));
  CHECK(line(fit, "overhead_scale_s").interval90.contains(2));
}

// A gamma's relative standard deviation is 1 / sqrt(shape): of 3 s +- 0.5 s, a shape of 36.
TEST_CASE("Overheads that are all the same are known to their rounding, and no better") {
  for (std::uint32_t const jobs : {5U, 30U}) {
    Fit const fit = table_columns(quiet(jobs), 200, "delays");
    Estimate const& shape = line(fit, "overhead_shape");
    CHECK(shape.interval90.low > 36. / 6);
    CHECK(shape.interval90.high < 36. * 20);
    CHECK(shape.interval90.high > 1.2 * shape.interval90.low);
    CHECK(shape.estimate * line(fit, "overhead_scale_s").estimate == Approx(3).margin(0.5));
  }
}

TEST_CASE("Without holds and without slot times, assumptions are listed as such") {
  history::JobRow row = plain_job(0, "A", 10000);
  row.slot_busy.clear();
  Fit const fit = table_columns(make_table_records({{row}}, {}, Bytes(1e9)), 50, "delays");
  CHECK(fit.not_identified.size() == 2);
  CHECK(fit.draws.columns.size() == 3);
  CHECK(fit.draws.rows.size() == 50);
  CHECK(fit.not_identified.back().taken_from == "an assumption: exponential, 5 s");
  CHECK(line(fit, "overhead_shape").estimate == 1);  // a gamma of shape 1 is exponential
  CHECK(line(fit, "overhead_scale_s").estimate == 5);
}

}  // namespace gridcast::calibration
