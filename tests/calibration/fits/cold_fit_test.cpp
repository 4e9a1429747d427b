#include "calibration/fits/cold_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "calibration/fits/flow_fit.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

// +- 10 %, so that no two of the sizes, files and sites have the same.
constexpr std::array<double, 5> stretches = {0.9, 1.1, 1.0, 0.95, 1.05};

/// Two sites with a cache each, eight files of 100 or 200 MB, five uses of each at each, one at a
/// time: 100 MB/s, but the first of a file at a cache takes as long as its fill.
struct Uses {
  double fill_rate = 1e7;
  bool ads = true;
  bool sized = true;

  TransferRecords records() const {
    TransferRecords all;
    for (int use = 0; use < 5; ++use) {
      for (std::uint32_t file = 0; file < 8; ++file) {
        for (std::uint32_t site = 0; site < 2; ++site) {
          std::size_t const k = all.tries.size();
          double const bytes = file % 2 == 0 ? 1e8 : 2e8;
          double const flow = bytes / 1e8 * stretches[k % 5];
          double const fill = use == 0 ? bytes / fill_rate * stretches[(k + 2) % 5] : 0;
          TransferTry one;
          one.site = Id<history::Site>(site);
          one.cache = site;
          if (ads) one.url = file;
          one.start = Seconds(1000.0 * static_cast<double>(k));
          one.end = one.start + Seconds(std::max(flow, fill));
          if (sized) one.bytes = Bytes(bytes);
          one.timed = true;
          all.tries.push_back(one);
        }
      }
    }
    return all;
  }
};

double median_stream(TransferRecords const& records) {
  auto const posterior = flow_posterior(records, 2, CutView::healthy, 100, test_stream(62));
  std::vector<double> limits;
  for (auto const& draw : posterior.draws) {
    limits.push_back(std::min(draw[0].stream_limit, draw[0].link_capacity));
  }
  return median(limits);
}

}  // namespace

// Sixteen fills of 10 MB/s, each to 7 % (sd of the stretches): their median to 2 %, 90 % within
// some 5 %.
TEST_CASE("First uses that are ten times as slow were fills from the origin") {
  TransferRecords records = Uses().records();
  auto const found = cold_fills(records, 2, test_stream(61));
  REQUIRE(found);
  CHECK(found->fills == 16);
  CHECK(found->tries == 16);
  CHECK(found->rate == Approx(1e7).epsilon(0.1));
  CHECK(found->interval90.low < 1e7);
  CHECK(found->interval90.high > 1e7);
  CHECK(found->interval90.high < 1.3 * found->interval90.low);
  CHECK(std::count(found->cold.begin(), found->cold.end(), true) == 16);
  CHECK(std::all_of(found->cold.begin(), found->cold.begin() + 16, [](bool cold) { return cold; }));
  // What flows for one of ten seconds takes a tenth of the link.
  CHECK(found->loads.front() == Approx(0.1).epsilon(0.2));
  CHECK(found->loads.back() == 1);

  // Later uses have 100 MB/s. With first uses among them the rates of a site have a standard
  // deviation of nine tenths of their logarithm, and their middle is ln(10) / 5 lower.
  mark_cold(records, *found);
  CHECK(median_stream(records) == Approx(1e8).epsilon(0.1));
  CHECK(median_stream(Uses().records()) < 0.8e8);
  Estimate const line = cold_estimate(*found);
  CHECK(line.name == "origin_stream_limit_Bps");
  CHECK(line.events == 16);
}

TEST_CASE(
    "Nothing is said of fills that are faster than what follows them, nor without later uses or "
    "words") {
  CHECK_FALSE(cold_fills(Uses{1e9}.records(), 2, test_stream(61)));
  CHECK_FALSE(cold_fills(Uses{1e7, false}.records(), 2, test_stream(61)));
  CHECK_FALSE(cold_fills(Uses{1e7, true, false}.records(), 2, test_stream(61)));
  TransferRecords first = Uses().records();
  first.tries.resize(16);
  CHECK_FALSE(cold_fills(first, 2, test_stream(61)));
  CHECK_FALSE(cold_fills({}, 2, test_stream(61)));
}

// One fill that takes 40 % longer than a usual flow could be luck.
TEST_CASE("One first use that is a little slow is no cold cache") {
  TransferRecords records = Uses{1e9}.records();
  records.tries.front().end = records.tries.front().start + Seconds(1.4);
  CHECK_FALSE(cold_fills(records, 2, test_stream(61)));
}

// All first uses 4 % slower than they would be otherwise, where flows differ by 7 %: looked at, and
// left.
TEST_CASE("First uses that are a little slow are no cold caches") {
  TransferRecords records = Uses{1e9}.records();
  for (std::size_t i = 0; i < 16; ++i) {
    TransferTry& one = records.tries[i];
    one.end = one.start + 1.04 * one.duration();
  }
  CHECK_FALSE(cold_fills(records, 2, test_stream(61)));
}

// The cache fetches a file once: two more that ask for it after 2 and 5 s, of ten, wait for the
// same fetch, and one that asks after it has come does not.
TEST_CASE("Who asks while a file is on its way waits for the same fill") {
  TransferRecords records = Uses().records();
  double const arrives = records.tries.front().end.value();
  for (double const later : {2.0, 5.0, 11.0}) {
    TransferTry one = records.tries.front();
    one.start += Seconds(later);
    one.end = Seconds(later < 10 ? arrives : later + 1);
    records.tries.push_back(one);
  }
  std::stable_sort(records.tries.begin(), records.tries.end(),
                   [](auto const& a, auto const& b) { return a.start < b.start; });
  auto const found = cold_fills(records, 2, test_stream(61));
  REQUIRE(found);
  CHECK(found->fills == 16);
  CHECK(found->tries == 18);
  CHECK(found->cold[0]);
  CHECK(found->cold[1]);
  CHECK(found->cold[2]);
  CHECK_FALSE(found->cold[3]);
}

// What an ad tells of the time to the first byte is latency: 9 of 10 s of a first use that is no
// slower then.
TEST_CASE("A first byte that comes late is no slow fill") {
  TransferRecords records = Uses().records();
  for (TransferTry& one : records.tries) {
    double const seconds = one.duration().value();
    double const flow = one.bytes.value() / 1e8;
    one.first_byte = Seconds(seconds > 3 ? seconds - flow : 0.01);
  }
  CHECK_FALSE(cold_fills(records, 2, test_stream(61)));
}

}  // namespace gridcast::calibration
