// The calibration behind a forecast: each fitted process beside its data, and the sections that
// state its parameters. The true values of a test pool beside the fitted intervals. The scores of
// forecasts, with each figure of each campaign in its interval.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/mixture.hpp"
#include "sim/base/statistics.hpp"
#include "sim/report/page/document.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

struct ProcessBeside {
  std::string name;
  std::vector<double> data;  // seconds, ascending
  std::size_t censored = 0;
  std::vector<DistributionMixture> draws;
};

struct CalibrationPage {
  std::string file;
  std::vector<Section> sections;  // parameters first; none of a calibration written by hand
  std::vector<ProcessBeside> processes;
  std::string no_data;  // why there are no processes beside their data; empty if there are
};

std::vector<ReportSection> calibration_sections(CalibrationPage const& page);

struct KnownParameter {
  std::string name;
  double estimate = 0;
  Interval interval90;
  std::size_t events = 0;
  double truth = 0;
  bool inside = false;  // its 90 % interval holds the truth
};

struct ValidationRequest {
  std::string title, created_by, command;
  std::vector<KnownParameter> parameters;
  CalibrationPage calibration;
  std::vector<InputFileFact> inputs;
};

ReportDocument validation_page(ValidationRequest const& request);

struct ScoresRequest {
  std::string title, created_by, command;
  study::ScoreTable const& table;
  std::vector<study::ScoredRecord> const& records;
  std::vector<InputFileFact> inputs = {};
  study::ConformalTable const* conformal = nullptr;  // of campaigns that were left out
};

ReportDocument scores_page(ScoresRequest const& request);

}  // namespace gridcast::report
