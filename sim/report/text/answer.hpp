// The answer in words, with its uncertainty, and its assumptions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ledger/black_holes.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// The recommendation, or the outcome, then that of the baseline.
std::vector<std::string> answer(std::vector<Result> const& results);
/// For the results on one page: the strategy to use, whether to submit as planned, or the change
/// that follows from a record, whose `holes` are the hosts to avoid. Empty if none follows.
std::string recommendation(std::vector<Result> const& results, std::optional<Seconds> deadline,
                           ledger::BlackHoles const& holes = {});
/// The reasons for the answer: replicas and draws, useful knowledge, strategies without a rank,
/// sources of the width, and the record beside it.
std::vector<std::string> evidence(std::vector<Result> const& results);
std::vector<std::string> assumptions(std::vector<Result> const& results);
/// For a strategy: replicas that were ended, or had jobs removed, because time ran out.
std::vector<std::string> words_of_ends(ResultStrategy const& strategy);
/// Partial, failed, ended and unlike results.
std::vector<std::string> cautions(std::vector<Result> const& results);

/// ", mostly (38 of 55 points) to retried transfers of jobs that succeeded": the largest lost line
/// of `times`, in points of their wall clock; empty if next to nothing was lost.
std::string largest_loss(ResultFigures const& times);
/// The means of a study's time lines and their sums.
ResultFigures mean_times(ResultStrategy const& strategy);

}  // namespace gridcast::report
