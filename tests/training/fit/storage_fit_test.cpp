#include "sim/training/fit/storage_fit.hpp"

#include <cmath>
#include <map>

#include "sim/base/error.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {
namespace {

using training::StorageRow;

StorageRow run(int accelerators, double au) {
  StorageRow row;
  row.family = row.system = "s";
  row.accelerators = accelerators;
  row.threads = 8;
  row.batch = 7;
  row.step = Seconds(0.323);
  row.record = Bytes(146.6e6);
  row.cores = 128;
  row.au = au;
  return row;
}

std::string storage_refusal(std::string const& text) {
  try {
    training::parse_storage_rows("s.csv", text);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

std::string const head = "accelerators,hosts,threads,batch,step_s,record_bytes,au\n";

}  // namespace

TEST_CASE("the fit finds the speed of a store that is slower than its readers") {
  // 7 x 146.6 MB a step of one accelerator at 2 GB/s for all: 8 of them get a step in 4.1 s.
  std::vector<StorageRow> rows;
  for (int const n : {8, 16}) rows.push_back(run(n, 0.323 / (n * 7 * 146.6e6 / 2e9)));
  auto const fit = training::fit_storage(rows, 1, 800);
  auto const f = training::forecast(fit.front(), run(32, 0));
  CHECK(f.median == Approx(0.323 / (32 * 7 * 146.6e6 / 2e9)).epsilon(0.25));
}

TEST_CASE("one row gives a wide answer, and the row itself lies in it") {
  auto const fit = training::fit_storage({run(4, 0.95)}, 1, 800);
  auto const same = training::forecast(fit.front(), run(4, 0));
  CHECK(same.interval.contains(0.95));
  auto const more = training::forecast(fit.front(), run(16, 0));
  CHECK(more.median < same.median);
  CHECK(more.interval.high - more.interval.low > same.interval.high - same.interval.low);
}

TEST_CASE("a forecast of a published row describes a run that passed") {
  auto const fit = training::fit_storage({run(4, 0.92)}, 1, 800);
  StorageRow row = run(8, 0);
  double const any = training::forecast(fit.front(), row).median;
  row.passed_above = 0.9;
  auto const passed = training::forecast(fit.front(), row);
  CHECK(passed.median > any);
  CHECK(passed.interval.low >= 0.9 - 1e-9);
}

TEST_CASE("utilisation is read, or made of a rate") {
  auto const printed = training::parse_storage_rows("s.csv", head + "4,1,8,7,0.323,146600628,95\n");
  CHECK(printed.rows.front().au == Approx(0.95));
  auto const rate = training::parse_storage_rows(
      "s.csv", "accelerators,batch,step_s,record_bytes,samples_per_s\n4,7,0.28,1000,90\n");
  CHECK(rate.rows.front().au == Approx(0.9));
}

TEST_CASE("rows of a store that cannot be used are reported with their places") {
  CHECK(storage_refusal(head + "4,8,8,7,0.323,1000,95\n").find("s.csv:2:3: 8 hosts for 4") == 0);
  CHECK(storage_refusal(head + "4,1,8,7,0,1000,95\n").find("s.csv:2:9: step_s: '0'") == 0);
  CHECK(storage_refusal(head + "4,1,8,7,0.3,1000,140\n").find("a utilisation of 140.0 %") !=
        std::string::npos);
  CHECK(storage_refusal(head + "4,1,8,7,0.3,1000,\n").find("no utilisation") != std::string::npos);
  CHECK(storage_refusal("a,b\n1,2\n").find("no column 'accelerators'") != std::string::npos);
}

TEST_CASE("a row that varies between its own runs has less weight") {
  StorageRow sure = run(4, 0.95), unsure = sure;
  unsure.au_sd = 0.02;
  auto const width = [](StorageRow const& row) {
    auto const f = training::forecast(training::fit_storage({row}, 1, 800).front(), run(4, 0));
    return f.interval.high - f.interval.low;
  };
  CHECK(width(unsure) > 1.5 * width(sure));
  StorageRow averaged = unsure;
  averaged.runs = 100;  // a hundred of them say as much as a sure one
  CHECK(width(averaged) < 1.2 * width(sure));
}

TEST_CASE("a forecast is wider the further it is from the measurements, in hosts too") {
  auto const fit = training::fit_storage({run(8, 0.95)}, 1, 800).front();
  auto const width = [&fit](int accelerators, int hosts) {
    StorageRow row = run(accelerators, 0);
    row.hosts = hosts;
    auto const f = training::forecast(fit, row);
    return std::log((1 / f.interval.low - 1) / (1 / f.interval.high - 1));
  };
  CHECK(width(32, 4) > 1.3 * width(8, 1));  // as many a host
  CHECK(width(128, 16) > width(32, 4));
}

TEST_CASE("rows of a store that contradict each other are in their intervals") {
  std::vector<StorageRow> const rows = {run(4, 0.97), run(4, 0.5), run(8, 0.99)};
  auto const fit = training::fit_storage(rows, 1, 800).front();
  for (auto const& row : rows) CHECK(training::forecast(fit, row).interval.contains(row.au));
}

TEST_CASE("shares are not taken for per cent, nor runs that failed for published ones") {
  CHECK(storage_refusal(head + "4,1,8,7,0.323,1000,0.97\n")
            .find("s.csv:2:1: no utilisation above 1 %") == 0);
  CHECK(storage_refusal(head + "4,1,8,7,0.323,1000,0.97\n8,1,8,7,0.323,1000,50\n").empty());
  CHECK(storage_refusal(
            "accelerators,batch,step_s,record_bytes,au,passed_above\n4,7,0.3,1000,80,90\n")
            .find("only runs above 90.0 % are published") != std::string::npos);
}

TEST_CASE("MLPerf's stores under more accelerators are predicted from the fewest", "[slow]") {
  auto const table = training::read_storage_rows(shipped_files().data / "mlperf" / "storage.csv");
  std::map<std::string, double> fewest;
  for (auto const& row : table.rows) {
    auto const at = fewest.emplace(row.family, row.on_host()).first;
    at->second = std::min(at->second, row.on_host());
  }
  std::vector<StorageRow> small, large;
  for (auto const& row : table.rows) {
    (row.on_host() <= fewest[row.family] ? small : large).push_back(row);
  }
  double off = 0;
  int held = 0;
  for (auto const& fit : training::fit_storage(small)) {
    for (auto const& row : large) {
      if (row.family != fit.family) continue;
      auto const f = training::forecast(fit, row);
      off += std::abs(f.median - row.au);
      held += f.interval.contains(row.au) ? 1 : 0;
    }
  }
  REQUIRE(large.size() == 16);
  CHECK(held >= 13);  // 80 %
  CHECK(off / static_cast<double>(large.size()) < 0.025);
}

}  // namespace gridcast::test
