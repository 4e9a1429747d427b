#include "calibration/delays_fit.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

Estimate const& line(Fit const& fit, std::string const& name) {
  for (Estimate const& estimate : fit.estimates) {
    if (estimate.name == name) return estimate;
  }
  throw std::runtime_error("no estimate of " + name);
}

}  // namespace

TEST_CASE("What stalls leave of the retried time is release delay") {
  // Six jobs, seven holds: 11655 + 6895 + 5788 + 2846 + 10161 + 10975 = 48320 s.
  Fit const fit = delays_fit(published_records(), 400, RandomStreams(1, 0));
  Estimate const& delay = line(fit, "release_delay_mean_s");
  CHECK(delay.events == 7);
  CHECK(delay.estimate == Approx(48320.0 / 7));
  // scipy 1.10.1: 48320 / gamma(7) at 95 % and 5 %.
  CHECK(delay.interval90.low == Approx(4080.26).epsilon(0.02));
  CHECK(delay.interval90.high == Approx(14707.87).epsilon(0.02));
}

TEST_CASE("Overhead is a few seconds") {
  Fit const fit = delays_fit(published_records(), 400, RandomStreams(1, 0));
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
  Fit const fit = delays_fit(make_records(table, {}, Bytes(1e9)), 200, RandomStreams(1, 0));
  CHECK(line(fit, "overhead_shape").interval90.contains(3));
  CHECK(line(fit, "overhead_scale_s").interval90.contains(2));
}

TEST_CASE("Without holds and without slot times, assumptions are listed as such") {
  history::JobRow row = plain_job(0, "A", 10000);
  row.slot_busy.clear();
  Fit const fit = delays_fit(make_records({{row}}, {}, Bytes(1e9)), 50, RandomStreams(1, 0));
  CHECK(fit.not_identified.size() == 2);
  CHECK(fit.draws.columns.size() == 3);
  CHECK(fit.draws.rows.size() == 50);
}

}  // namespace gridcast::calibration
