// Made-up campaigns for the calibration's tests.
#pragma once

#include <string>
#include <vector>

#include "calibration/record.hpp"
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
inline calibration::Records published_records(std::vector<std::string> const& pool_sites = {}) {
  return calibration::make_records(
      history::read_job_table(test::source_dir().string() +
                              "/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv"),
      pool_sites, Bytes(137e9));
}

}  // namespace gridcast::test
