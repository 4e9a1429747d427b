// What `gridcast validate` plays to score forecasts of recorded campaigns, for --against and for
// --leave-one. A ScorePlan says, as a value, which scenarios are played and what their replicas are
// held against. Made once from the records, it is played here or in shards, and scored from what
// they bring back: the records themselves are needed for neither.
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
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

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

/// The figures of a campaign that is known, for guesses.
struct KnownCampaign {
  std::vector<double> figures;
  double jobs = 1;
};
KnownCampaign known_campaign(history::JobHistory const& logged);

struct Scored {
  std::vector<study::ScoredRecord> records;
  std::size_t failed = 0;
  bool interrupted = false;
};

/// `result`: its figures are added; `known`: the guesses' campaigns, the last one last.
void add_scored(Scored& all, study::ScoredRecord result, KnownCampaign const& observed,
                study::BalancedForecast const& forecast, std::vector<KnownCampaign> const& known);

/// The scores on standard output, the tables of --csv, the page of --report; the exit code.
/// `is_conformal`: whether each record is a campaign of its own that was forecast once.
int tell_scores(Scored const& scored, report::ScoresFacts const& facts, bool is_conformal,
                ScoreArguments const& arguments);

std::vector<ValidationRecord> read_records(std::vector<std::filesystem::path> const& places,
                                           ValidationArguments const& arguments);
void prepare_outputs(ScoreArguments const& arguments, std::vector<std::filesystem::path> inputs);

/// What is played: a scenario's baseline, seen as the record would show it.
struct PlannedForecast {
  std::filesystem::path scenario;           // its file
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  bool sub_second = false;                  // whether the record's log has fractions of a second
  std::string site = {};                    // that alone is looked at; empty: all
};

/// What is scored: one forecast, or several of one campaign as one.
struct PlannedScore {
  std::string record, from, repeats;  // study::ScoredRecord
  KnownCampaign observed;
  std::vector<KnownCampaign> known;    // of the guesses, the last one last
  std::vector<std::size_t> forecasts;  // of ScorePlan
};

struct ScorePlan {
  report::ScoresFacts facts;
  bool conformal = false;      // each record is a campaign of its own that was forecast once
  bool without_clock = false;  // only some jobs or sites of a campaign are looked at
  std::vector<PlannedForecast> forecasts = {};
  std::vector<PlannedScore> scores = {};
};

/// Replicas of each forecast.
std::uint32_t replicas_of(ScorePlan const& plan);

/// The plan of a record that is forecast from the scenario.
PlannedForecast planned(ForecastScenario const& made, ValidationRecord const& record,
                        std::string const& site = "");
PlannedScore planned_score(ValidationRecord const& record, std::string const& from,
                           std::vector<KnownCampaign> known, std::vector<std::size_t> forecasts,
                           ValidationArguments const& arguments);

/// A history in which all that happened elsewhere is forgotten: its figures are the site's.
history::JobHistory only_site(history::JobHistory const& history, std::string const& site);

/// The plan without the files of its scenarios, which lie elsewhere once it is read again.
std::string score_plan_json(ScorePlan const& plan);
/// `scenarios`: their files. InputError, naming `file`, for what is no plan of as many.
ScorePlan read_score_plan(std::filesystem::path const& file,
                          std::vector<std::filesystem::path> const& scenarios);

/// All forecasts, one after the other.
std::vector<study::BalancedForecast> play(ScorePlan const& plan, ScoreArguments const& arguments);

/// How shards of the plan are played, whose replicas are those of one forecast after the other.
study::ShardPlayer score_player(ScorePlan const& plan);
/// The forecasts of all replicas, numbered in this way.
std::vector<study::BalancedForecast> forecasts_of(ScorePlan const& plan,
                                                  study::PoolResult const& played);

/// `forecasts`: of the plan, in order.
Scored scored(ScorePlan const& plan, std::vector<study::BalancedForecast> const& forecasts);

// `gridcast validate --against` and `--leave-one` in shards (study_on.hpp): what was planned when
// the study was begun, and its scores once all of it is played.

/// What `validate` shares with the verbs that play studies.
StudyArguments study_arguments(ScoreArguments const& arguments);

/// The plan that was frozen. InputError.
ScorePlan frozen_plan(study::FrozenStudy const& study);

/// The scores, if all shards are there: of a part of the forecasts they would be of something else.
/// The exit code.
int gather_scores(study::StudyFolder const& folder, study::FoundShards const& found,
                  StudyArguments const& arguments);

}  // namespace gridcast::cli
