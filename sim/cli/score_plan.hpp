// The forecasts of `gridcast validate --against` and `--leave-one` as a value: a ScorePlan lists the
// scenarios to simulate and the records to compare their replicas with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/validation_record.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/study/forecast_scores.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {

struct ScoreArguments {
  std::vector<std::filesystem::path> against;
  std::filesystem::path last;  // the record of the first plain guess; empty: the calibration's own
  std::string leave_one;       // "campaign", "site", "part"; empty: none
  std::string from = "rest";   // with "campaign": "rest" or "each"
  ValidationArguments records;
  std::uint32_t replicas = 200;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  bool json = false, force = false, verbose = false, quiet = false;
  std::filesystem::path csv;  // folder; empty: none
  ReportArguments report = {};
};

/// --against, --last, --leave-one, --from, -n, --seed, -j, --json, --csv, and those of records.
void add_score_options(Verb& verb, ScoreArguments& arguments);

inline constexpr std::size_t replicas_a_draw = 2;

/// The figures of a known campaign, for guesses.
struct KnownCampaign {
  std::vector<double> figures;
  double jobs = 1;
};
KnownCampaign known_campaign(history::JobHistory const& logged);

std::vector<ValidationRecord> read_records(std::vector<std::filesystem::path> const& places,
                                           ValidationArguments const& arguments);
void prepare_outputs(ScoreArguments const& arguments, std::vector<std::filesystem::path> inputs);

/// A simulation of a scenario's baseline, as a record would show it.
struct PlannedForecast {
  std::filesystem::path scenario;           // its file
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  bool sub_second = false;                  // whether the record's log has fractions of a second
  std::string site = {};                    // the only site that counts; empty: all
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
  bool conformal = false;      // each record is a campaign of its own with one forecast
  bool without_clock = false;  // only some jobs or sites of a campaign count
  std::vector<PlannedForecast> forecasts = {};
  std::vector<PlannedScore> scores = {};
};

/// The plan of a record that is forecast from the scenario.
PlannedForecast planned(ForecastScenario const& made, ValidationRecord const& record,
                        std::string const& site = "");
PlannedScore planned_score(ValidationRecord const& record, std::string const& from,
                           std::vector<KnownCampaign> known, std::vector<std::size_t> forecasts,
                           ValidationArguments const& arguments);

/// The history without the events of other sites: its figures are those of the site.
history::JobHistory only_site(history::JobHistory const& history, std::string const& site);

/// Simulates all forecasts, one after the other, and scores them: the scores on standard output, the
/// tables of --csv, the page of --report. The exit code.
int play_and_score(ScorePlan const& plan, ScoreArguments const& arguments);

/// The arguments that `validate` shares with predict and compare.
StudyArguments study_arguments(ScoreArguments const& arguments);

}  // namespace gridcast::cli
