// The results of studies for the terminal: a prediction, a replay, which is one with the record
// beside it, a comparison of strategies, with its decision, in words and tables, and forecasts that
// were scored.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/forecast_scores.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

/// Every figure's distribution, the main ones under each hypothesis on the cause of stalls, and, if
/// there is a record to compare with, the observed figures in their places.
std::string prediction_text(Result const& result, Screen const& screen = endless_screen());

/// Each figure of the rows, of the replay, and by how much they differ; under a strategy for which
/// the replay has to draw, with intervals and under each hypothesis.
std::string replay_text(Result const& result, Screen const& screen = endless_screen());

/// First in sentences which strategy is best, how sure that is and its conditions, then in tables.
std::string comparison_text(Result const& result, Screen const& screen = endless_screen());

/// "PARTIAL: after 412 of 1000 replicas" and the number of those that failed; empty for
/// a study that is whole.
std::string incomplete_text(Result const& result);

/// The critical path: its length and its parts, then its steps, only the longest of many; nothing
/// for no path. `of` names the campaign: "of this run", "of the typical replica".
std::string critical_path_text(std::vector<study::CriticalStep> const& path, std::string const& of,
                               Screen const& screen);

/// How many observed figures lie in their predicted ranges: "12 of 14 observed figures lie in the
/// central 90 %, and 29 more are the same in all replicas and in the record", which could not have
/// been otherwise and are no evidence for a forecast. Without a stop.
std::string coverage_text(study::RecordComparison const& against);

/// Executions of a record that are held against a forecast of their site, and how many have none.
struct ComparedExecutions {
  std::vector<study::PlacedExecution> compared = {};
  std::size_t left_out = 0;
};
ComparedExecutions compared_executions(study::RecordComparison const& against);
/// "3 executions at sites where the forecast has no success are not compared." Empty for none.
std::string left_out_text(ComparedExecutions const& executions);

/// A sentence for one strategy, a line each for several; empty without a deadline.
std::string deadline_text(Result const& result, Screen const& screen);

/// For a terminal: the verdict, its table, deciding parameters, and strategies without a rank.
std::string verdict_text(Result const& result, Screen const& screen);

/// Sentences of an answer: the verdict, and the parameter that is most useful to know if it is
/// open.
std::vector<std::string> verdict_sentences(Result const& result);
/// Where the campaign lies beyond the record; empty within it.
std::string beyond_sentence(Result const& result);
/// The same with the test jobs that remove the doubt; empty
/// within the record.
std::string extrapolation_sentence(Result const& result);
/// That sentence; then one each for strategies that are not ranked, and where no job ever ran; none
/// otherwise.
std::vector<std::string> standing_sentences(Result const& result);
/// Facts that the calibration's record lacks; the last of the sentences above.
std::vector<std::string> record_sentences(Result const& result);

/// "1.8 %": the value of a parameter.
std::string gain_in_percent(double share);
/// The meaning of the values of parameters.
std::string value_of_parameters_sentence(Result const& result);
/// "upgrade up to 12, timer-never above", "upgrade if overload, ...": the best strategies for
/// values of a parameter.
std::string best_by_value(Result const& result, study::ParameterValue const& value);

/// "Campaigns differ in makespan: 71 % of the variance comes from ...": empty if the replicas do
/// not determine it.
std::string spread_sentence(Result const& result, ResultStrategy const& strategy);

}  // namespace gridcast::report
