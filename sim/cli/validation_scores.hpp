// The scores of `gridcast calibrate --check --against` and `--leave-one`: forecasts of past
// campaigns, from earlier records, compared with their records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/validation_record.hpp"
#include "sim/report/text/scores_text.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct ScoreArguments {
  std::vector<fs::path> files;  // a calibration; with leave_one, records
  std::vector<fs::path> against;
  fs::path last;              // the record of the first plain guess; empty: the calibration's own
  std::string leave_one;      // "campaign", "part"; empty: none
  std::string from = "rest";  // with "campaign": "rest" or "each"
  ValidationArguments records;
  std::uint32_t replicas = 200;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  bool json = false, details = false, force = false, verbose = false, quiet = false;
  fs::path csv;  // folder; empty: none
};

/// --against, --last, --leave-one, --from, -n, --seed, -j, --json, --csv, and those of records.
void add_score_options(Verb& verb, ScoreArguments& arguments);

/// Forecasts each record of --against from the calibration, and scores the forecasts. The exit
/// code.
int score_against(ScoreArguments const& arguments);

/// Forecasts the parts of the records that --leave-one names from the rest. The exit code.
int score_left_out(ScoreArguments const& arguments);

// The forecasts that `gridcast calibrate --check` simulates and scores: records from a calibration,
// or the parts of records that --leave-one names from the rest.

/// The figures of a known campaign, for guesses.
struct KnownCampaign {
  std::vector<double> figures;
  double jobs = 1;
};

/// A simulation of a scenario's baseline, as a record would show it.
struct PlannedForecast {
  scenario::Scenario scenario;
  bool sub_second = false;  // whether the record's log has fractions of a second
  /// How long after its first event the record ends, if it leaves jobs unfinished: no more of the
  /// simulated campaign counts either.
  std::optional<Seconds> seen_for = {};
};

/// A score of one forecast, or of several forecasts of one campaign together.
struct PlannedScore {
  std::string record, from, repeats;  // study::ScoredRecord
  KnownCampaign observed;
  std::vector<KnownCampaign> known;    // for the guesses, the latest campaign last
  std::vector<std::size_t> forecasts;  // of ScorePlan
};

struct ScorePlan {
  report::ScoresFacts facts;
  bool without_clock = false;  // only some jobs of a campaign count
  std::vector<PlannedForecast> forecasts = {};
  std::vector<PlannedScore> scores = {};
};

}  // namespace gridcast::cli
