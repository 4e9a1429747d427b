#include "sim/study/replay_study.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "sim/base/files.hpp"
#include "sim/engine/replay.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

std::vector<std::string> sites_of(history::JobTable const& table) {
  std::set<std::string> names;
  for (auto const& row : table.rows) names.insert(row.sites.begin(), row.sites.end());
  return {names.begin(), names.end()};
}

/// The same bits, so that what is not available equals itself.
bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

Prediction replay_study(history::JobTable const& table, scenario::Scenario const& scenario,
                        scenario::Strategy const& strategy, StudyOptions const& options) {
  auto const sites = sites_of(table);
  engine::ReplayGrid const grid{scenario.pool.access_point, scenario.campaign.input_size()};
  auto const task = [&](std::uint32_t number) {
    scenario::ParameterDraw const& draw = draw_of(scenario.calibration, options.seed, number);
    auto const played =
        engine::replay(table, grid, strategy, draw, RandomStreams(options.seed, number));
    return make_record(played.history, sites, draw);
  };
  auto const journal = open_journal(
      scenario, options, "replay " + strategy.name + " " + sha256(history::to_csv(table)));
  auto result = run_replicas(options.replicas, options.processes, task, options.progress,
                             default_patience, journal.get());

  Prediction prediction;
  prediction.scenario = scenario.file.string();
  prediction.scenario_sha256 = scenario.sha256;
  prediction.title = scenario.title;
  prediction.question = scenario.question;
  prediction.strategy = strategy.name;
  prediction.calibration = scenario.calibration.sha256;
  prediction.jobs = static_cast<int>(table.rows.size());
  prediction.requested = options.replicas;
  prediction.seed = options.seed;
  prediction.sample = make_sample(record_names(sites), std::move(result.records));
  prediction.failed = std::move(result.failed);
  prediction.interrupted = result.interrupted;
  return prediction;
}

bool deterministic(StudySample const& sample) {
  if (sample.size() == 0) return false;
  // The last column is the world's, not the campaign's.
  auto const& first = sample.records.front();
  return std::all_of(sample.records.begin(), sample.records.end(), [&](SharedRecord const& record) {
    return std::equal(record.begin(), record.end() - 1, first.begin(), same);
  });
}

}  // namespace gridcast::study
