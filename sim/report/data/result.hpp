// A result that a verb printed with --json, as a value: what report pages are made of. The verbs'
// own pages are made from the very JSON that they print, so that page and JSON cannot differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::report {

/// Figures by their script names; NaN: null in the JSON.
using ResultFigures = std::map<std::string, double>;
using ResultSummaries = std::map<std::string, study::Summary>;

/// How many jobs had succeeded by when, and when the last job had ended, over replicas.
struct ResultFinish {
  std::vector<Seconds> at;
  std::vector<double> low, middle, high;  // jobs: 5 %, median, 95 %; of a single run all the same
  std::vector<Seconds> makespans;         // quantiles at equal steps of probability, 0 to 1
};

struct ResultDifference {
  double mean = 0;
  Interval ci95;
};

struct ResultStrategy {
  std::string name;
  std::size_t replicas = 0;
  ResultSummaries metrics;
  std::map<std::string, ResultSummaries> sites;
  std::map<std::string, ResultDifference> versus_baseline;
  std::map<std::string, double> probability_best;
  std::optional<ResultFinish> finish;
};

/// The strategies in the replicas that lived under one explanation of stalls.
struct ResultExplanation {
  std::string name;
  double weight = 0;
  std::size_t replicas = 0;
  std::vector<ResultStrategy> strategies;
};

struct ResultReason {
  std::string ended, what, advice;
  double times = 0, jobs = 0;
  Seconds slot_time_lost, held;
};

struct ResultJob {
  std::string name, outcome, site;
  ResultFigures figures;  // stalls, holds, attempts, executions, execute_s ...
  ResultFigures classes;  // empty without dates
};

/// One campaign, recorded or simulated.
struct ResultLedger {
  ResultFigures metrics, classes;
  std::map<std::string, ResultFigures> sites, site_classes;
  std::vector<ResultReason> reasons;
  std::vector<ResultJob> jobs;  // empty if the result was made without them
  bool dated = false;
  std::optional<ResultFinish> finish;
};

/// An observed figure in its predictive distribution.
struct ResultPlace {
  std::string name;
  double observed = 0;
  study::Summary predicted;
  double percentile_rank = 0;
  bool inside = false;
};

struct ResultAgainst {
  std::size_t jobs = 0;
  std::vector<ResultPlace> places;
  std::map<std::string, ResultFigures> sites;
  std::size_t executions = 0, executions_within = 0;  // of jobs; foreseen within 5 %
};

enum class ResultKind { ledger, prediction, replay, comparison };
std::string_view name(ResultKind kind);

struct Result {
  std::string source;  // the file, or the command that gave it
  ResultKind kind = ResultKind::ledger;
  std::string version;  // of the program that gave it
  std::string scenario, scenario_sha256, calibration_sha256;
  std::string title, question;
  std::string strategy;  // of a ledger: that was simulated; empty of a recorded campaign
  std::optional<std::uint64_t> seed, replica;
  std::size_t replicas = 0, requested = 0;
  bool partial = false, deterministic = false;
  std::vector<std::string> failed;  // a line each
  std::string baseline;
  std::vector<ResultStrategy> strategies;  // one of a prediction, none of a ledger
  std::vector<ResultExplanation> explanations;
  std::optional<ResultLedger> ledger;
  std::optional<ResultAgainst> against;
};

/// A figure by its name; NaN where there is none.
double figure(ResultFigures const& figures, std::string_view name);
/// With no values (n = 0) where there is none.
study::Summary summary(ResultSummaries const& summaries, std::string_view name);
/// The baseline of a study, or its only strategy; null of a ledger.
ResultStrategy const* baseline(Result const& result);
/// How many jobs the campaign has; 0 where that is not told.
std::size_t jobs(Result const& result);

}  // namespace gridcast::report
