#include "sim/optimize/search_shards.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {
namespace {

/// Searches, and the choice between their points, have seeds that are far from each other, as each
/// uses a few of the next ones (optimum.cpp).
std::uint64_t seed_of_search(std::uint64_t seed, std::uint32_t search) {
  constexpr std::uint64_t apart = 1000;
  return seed + apart * (std::uint64_t{search} + 1);
}

study::Record record_of(std::vector<Point> const& points) {
  study::Record record;
  for (std::size_t i = 0; i < points_kept; ++i) {
    for (auto const& value : points[i < points.size() ? i : 0]) {
      record.push_back(value.value_or(nan));
    }
  }
  return record;
}

Point point_in(study::SharedRecord const& record, std::size_t place) {
  std::size_t const settings = record.size() / points_kept;
  Point point;
  for (std::size_t i = 0; i < settings; ++i) {
    double const value = record[place * settings + i];
    point.push_back(std::isnan(value) ? std::nullopt : std::optional(value));
  }
  return point;
}

}  // namespace

std::vector<std::string> columns_of_searches(scenario::Scenario const& scenario,
                                             scenario::Strategy const& current, Party as) {
  auto const knobs = knobs_of(scenario, current, as);
  std::vector<std::string> columns;
  for (std::size_t place = 1; place <= points_kept; ++place) {
    for (Knob const& knob : knobs) columns.push_back(fmt::format("{}:{}", place, knob.key));
  }
  return columns;
}

std::optional<study::ShardResult> make_searches(study::Shard const& shard,
                                                scenario::Scenario const& scenario,
                                                scenario::Strategy const& current,
                                                OptimizeOptions const& options) {
  study::ShardTimer const timer;
  study::ShardResult result{shard, {}};
  std::size_t const all = shard.to - shard.from;
  for (std::uint32_t search = shard.from; search < shard.to; ++search) {
    OptimizeOptions own = options;
    own.study.seed = seed_of_search(options.study.seed, search);
    own.study.progress = {};
    auto const points = best_points(scenario, current, own);
    if (points.empty()) return std::nullopt;
    result.records.emplace_back(search, record_of(points));
    if (options.study.progress) options.study.progress(result.records.size(), 0, all);
  }
  result.record = timer.record(options.study.seed);
  return result;
}

std::vector<Point> points_of(std::vector<study::ShardResult> const& results) {
  std::vector<Point> points;
  for (std::size_t place = 0; place < points_kept; ++place) {
    for (auto const& result : results) {
      for (auto const& [search, record] : result.records) {
        Point point = point_in(record, place);
        bool const known = std::ranges::find(points, point) != points.end();
        if (!known) points.push_back(std::move(point));
      }
    }
  }
  return points;
}

}  // namespace gridcast::optimize
