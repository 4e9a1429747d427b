// What a calibration says of one number: how large, how sure, from how many events, by which
// method.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

struct Estimate {
  std::string name;  // a column of the draws, e.g. "unpack_s.PDX-Coeus-CE1"
  std::string unit;  // "s", "B/s", "1/s", "1", "index"
  double estimate = 0;
  double standard_error = 0;
  Interval interval90;
  std::size_t events = 0;  // observations that carry information on it (censored ones apart)
  std::size_t censored = 0;
  std::string method;  // one line: model, likelihood, prior
  std::string fit;     // goodness of fit in words and numbers, may be empty
};

/// Joint draws: one row a ParameterDraw (columns as in sim/scenario/calibration.hpp).
struct DrawTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// Appends a column; one value a row (or the first column fixes the number of rows).
  void add(std::string column, std::vector<double> const& values);
};

/// A test of a model against the data, e.g. "stalls are independent".
struct ModelTest {
  std::string hypothesis;
  std::string statistic;
  double observed = 0;
  double expected = 0;
  double p_value = 0;
  std::string verdict;
};

/// Something that the data cannot tell, and what stands in for it.
struct NotIdentified {
  std::string what;
  std::string why;
  std::string taken_from;
};

/// What one fit contributes to the file.
struct Fit {
  std::vector<Estimate> estimates;
  DrawTable draws;
  std::vector<ModelTest> tests;
  std::vector<NotIdentified> not_identified;
};

}  // namespace gridcast::calibration
