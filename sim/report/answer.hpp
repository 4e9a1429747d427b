// The answer in words, with its uncertainty, and the assumptions that it hangs on.
#pragma once

#include <string>
#include <vector>

#include "sim/report/result.hpp"

namespace gridcast {

std::vector<std::string> answer(std::vector<Result> const& results);
std::vector<std::string> assumptions(std::vector<Result> const& results);
/// What is partial, failed or not alike.
std::vector<std::string> cautions(std::vector<Result> const& results);

/// "38 of 55 points go to retried transfers, jobs that succeeded": the largest lost line of
/// `times`, in points of `wallclock`.
std::string largest_loss(ResultFigures const& times);
/// The means of a study's time lines and their sums.
ResultFigures mean_times(ResultStrategy const& strategy);

}  // namespace gridcast
