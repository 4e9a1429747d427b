// Made-up campaigns for the calibration's tests.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

inline RandomStream test_stream(std::uint32_t entity) {
  return RandomStreams(20240601, 0).stream(Purpose::test, entity);
}

/// A job that fetched its input at once in `transfer` seconds and ran for `execute`.
inline history::JobRow plain_job(std::uint32_t proc, std::string const& site, double execute,
                                 double transfer = 500) {
  history::JobRow row;
  row.name = {1, proc};
  row.sites = {site};
  row.execute = {Seconds(execute)};
  row.slot_busy = {Seconds(execute + transfer + 3)};
  row.transfer_total = Seconds(transfer);
  row.transfer_last = Seconds(transfer);
  return row;
}

/// The 100 jobs of the published campaign.
inline calibration::TableRecords published_records(
    std::vector<std::string> const& pool_sites = {}) {
  return calibration::make_table_records(
      history::read_job_table(test::source_dir().string() +
                              "/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv"),
      pool_sites, Bytes(137e9));
}

/// The line of a fit that has this name.
inline calibration::Estimate const& line(calibration::Fit const& fit, std::string const& name) {
  for (calibration::Estimate const& estimate : fit.estimates) {
    if (estimate.name == name) return estimate;
  }
  throw std::runtime_error("no estimate of " + name);
}

inline bool not_identified(calibration::Fit const& fit, std::string const& what) {
  return std::any_of(fit.not_identified.begin(), fit.not_identified.end(),
                     [&](calibration::NotIdentified const& gap) { return gap.what == what; });
}

}  // namespace gridcast::test
