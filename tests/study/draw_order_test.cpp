#include <cmath>
#include <map>
#include <set>

#include "sim/base/random.hpp"
#include "sim/study/prediction.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

/// So many rows of each hypothesis, in blocks; the first ones without any.
scenario::Calibration calibration_of(std::size_t none, std::size_t overload, std::size_t path,
                                     std::size_t slow) {
  scenario::Calibration calibration;
  auto const add = [&](std::size_t rows, scenario::OutageParameters const& outages) {
    for (std::size_t i = 0; i < rows; ++i) {
      scenario::ParameterDraw draw;
      draw.outages = outages;
      calibration.draws.push_back(draw);
    }
  };
  scenario::OutageParameters bad;
  bad.stall_when_bad = bad.bad_fraction = 0.5;
  add(none, {});
  bad.scope = scenario::OutageScope::cache;
  add(overload, bad);
  bad.scope = scenario::OutageScope::path;
  add(path, bad);
  bad.kind = scenario::OutageKind::slow;
  add(slow, bad);
  return calibration;
}

TEST_CASE("the first n replicas contain each hypothesis by its share, to one replica") {
  auto const calibration = calibration_of(0, 61, 64, 175);
  for (std::uint64_t const seed : {1u, 2u, 77u}) {
    std::map<scenario::Hypothesis, double> had;
    for (std::uint32_t replica = 0; replica < 700; ++replica) {
      auto const row = draw_row(calibration, seed, replica);
      had[*scenario::hypothesis(calibration.draws[row].outages)] += 1;
      double const n = replica + 1;
      REQUIRE(std::abs(had[scenario::Hypothesis::overload] - n * 61 / 300) <= 1);
      REQUIRE(std::abs(had[scenario::Hypothesis::bad_path] - n * 64 / 300) <= 1);
      REQUIRE(std::abs(had[scenario::Hypothesis::slow] - n * 175 / 300) <= 1);
    }
  }
}

TEST_CASE("each row comes once before one comes twice, in an order of the seed's") {
  auto const calibration = calibration_of(10, 20, 5, 15);
  std::vector<std::size_t> first, other;
  for (std::uint32_t round = 0; round < 3; ++round) {
    std::set<std::size_t> rows;
    for (std::uint32_t i = 0; i < 50; ++i) rows.insert(draw_row(calibration, 1, 50 * round + i));
    CHECK(rows.size() == 50);
  }
  for (std::uint32_t i = 0; i < 50; ++i) {
    first.push_back(draw_row(calibration, 1, i));
    other.push_back(draw_row(calibration, 2, i));
    CHECK(draw_row(calibration, 1, i) == first.back());
  }
  CHECK(first != other);
  CHECK(draw_row(calibration_of(1, 0, 0, 0), 1, 12345) == 0);
}

TEST_CASE("turns are fair for all shares") {
  auto random = RandomStreams(1, 0).stream(Purpose::test, 0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::size_t> counts;
    std::size_t sum = 0;
    for (std::uint32_t h = 0; h <= random.below(6); ++h) counts.push_back(random.below(40));
    for (std::size_t const count : counts) sum += count;
    if (sum == 0) continue;
    auto const turns = fair_turns(counts, 2 * sum);
    std::vector<double> had(counts.size(), 0);
    for (std::size_t t = 0; t < turns.size(); ++t) {
      had[turns[t]] += 1;
      for (std::size_t h = 0; h < counts.size(); ++h) {
        double const due = static_cast<double>((t + 1) * counts[h]) / static_cast<double>(sum);
        REQUIRE(std::abs(had[h] - due) < 1);
      }
    }
  }
}

}  // namespace
}  // namespace gridcast::study
