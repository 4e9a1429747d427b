#include "sim/cli/self_test.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "sim/cli/shipped.hpp"
#include "sim/history/job_table.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/study/against.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

// Enough for the middle 90 % to be one, few enough for a second on two cores.
constexpr std::size_t replicas = 200;

/// Observed figures that must lie in the central 90 % of the simulated ones.
constexpr std::string_view foreseen[] = {"succeeded", "stalls", "badput_s", "goodput_fraction"};

struct Published {
  std::size_t jobs = 100, succeeded = 79, wrong_output = 3, held = 18, stalls = 232;
};  // the report "IMAGENET ON OSG" (2024), its tables counted; calibration/data/osg-imagenet

void add(SelfTest& test, std::string what, bool passed, std::string found) {
  test.checks.push_back({std::move(what), passed, passed ? "" : std::move(found)});
}

void check_record(SelfTest& test, history::JobHistory const& record) {
  ledger::LedgerLines const total = ledger::account(record).total;
  Published const known;
  bool const same = total.jobs == known.jobs && total.succeeded == known.succeeded &&
                    total.wrong_output == known.wrong_output && total.held == known.held &&
                    total.stalls == known.stalls;
  add(test,
      fmt::format("the record: {} jobs, {} succeeded, {} with a wrong output, {} held, {} stalls",
                  known.jobs, known.succeeded, known.wrong_output, known.held, known.stalls),
      same,
      fmt::format("{} jobs, {} succeeded, {} with a wrong output, {} held, {} stalls", total.jobs,
                  total.succeeded, total.wrong_output, total.held, total.stalls));
}

/// In each replica all jobs have one outcome, and every second is counted once.
void check_accounts(SelfTest& test, study::StudySample const& sample) {
  std::size_t jobs_wrong = 0, seconds_wrong = 0;
  auto const at = [&](std::string_view name, std::size_t row) {
    return sample.records[row][study::column_index(sample, name)];
  };
  for (std::size_t row = 0; row < sample.size(); ++row) {
    double const ended = at("succeeded", row) + at("wrong_output", row) + at("held", row) +
                         at("removed", row) + at("unfinished", row);
    if (at("jobs", row) != Published().jobs || ended != at("jobs", row)) ++jobs_wrong;
    double const parts =
        at("compute_success_s", row) + at("transfer_success_s", row) + at("badput_s", row);
    double const whole = at("wallclock_s", row);
    if (std::abs(parts - whole) > 1e-9 * whole) ++seconds_wrong;
  }
  add(test, fmt::format("simulated: {} jobs, each with one outcome", Published().jobs),
      jobs_wrong == 0, fmt::format("not so in {} of {} replicas", jobs_wrong, sample.size()));
  add(test, "simulated: every second of slot time counted once", seconds_wrong == 0,
      fmt::format("not so in {} of {} replicas", seconds_wrong, sample.size()));
}

bool same(study::StudySample const& a, study::StudySample const& b) {
  auto const alike = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::equal(a.records.begin(), a.records.end(), b.records.begin(), b.records.end(),
                    [&](study::SharedRecord const& x, study::SharedRecord const& y) {
                      return std::equal(x.begin(), x.end(), y.begin(), y.end(), alike);
                    });
}

void check_forecast(SelfTest& test, study::StudySample const& sample,
                    history::JobHistory const& record) {
  study::Against const against = study::hold_against(sample, record);
  for (auto const name : foreseen) {
    auto const placed =
        std::find_if(against.figures.begin(), against.figures.end(),
                     [&](study::PlacedFigure const& each) { return each.name == name; });
    bool const there = placed != against.figures.end();
    add(test, fmt::format("simulated: the record's {} lies in the middle 90 %", name),
        there && placed->inside,
        there ? fmt::format("{:.4g}, and not between {:.4g} and {:.4g}", placed->observed,
                            placed->predicted.p05, placed->predicted.p95)
              : "the figure is missing");
  }
}

void check_simulation(SelfTest& test, unsigned processes, history::JobHistory const& record) {
  scenario::Scenario const scenario = scenario::read_scenario(shipped_scenario());
  scenario::Strategy const& strategy = scenario.strategy(scenario.baseline);
  study::StudyOptions options;
  options.replicas = replicas;
  options.processes = processes;
  study::Prediction const first = study::predict(scenario, strategy, options);
  test.replicas = first.sample.size();
  std::string const why = first.failed.empty() ? "interrupted" : first.failed.front().why;
  add(test, fmt::format("simulated: all {} replicas come to their end", replicas),
      first.sample.size() == replicas, why);
  if (first.sample.size() != replicas) return;

  options.replicas = replicas / 20;
  options.processes = 1;
  study::StudySample const again = study::predict(scenario, strategy, options).sample;
  study::StudySample start = first.sample;
  start.records.resize(options.replicas);
  add(test, "simulated: the same seed gives the same figures, whatever the number of processes",
      same(start, again), "they differ");
  check_accounts(test, first.sample);
  check_forecast(test, first.sample, record);
}

}  // namespace

bool SelfTest::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](auto const& each) { return each.passed; });
}

SelfTest self_test(unsigned processes) {
  SelfTest test;
  auto const started = std::chrono::steady_clock::now();
  try {
    auto const folder = shipped_scenario().parent_path().parent_path();
    history::JobHistory const record = history::to_history(history::read_job_tables(
        {folder / "calibration" / "data" / "osg-imagenet" / "imagenet-5epoch-100jobs.csv"}));
    check_record(test, record);
    check_simulation(test, processes, record);
  } catch (std::exception const& error) {
    add(test, "the self-test runs", false, error.what());
  }
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - started;
  test.elapsed = Seconds(elapsed.count());
  return test;
}

}  // namespace gridcast::cli
