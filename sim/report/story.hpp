// The story of one campaign in a screenful: when its jobs finished, where the hours went, which
// jobs fared worst and why.
#pragma once

#include <string>

#include "sim/history/job_history.hpp"
#include "sim/report/finish_curve.hpp"

namespace gridcast {

/// `title`: lines that say what campaign it is. Of dated histories.
std::string story(std::string const& title, JobHistory const& history, Screen const& screen);

/// One job's life in words: "stalled 13 times at PDX-Coeus-CE1, computed 4.12 h, succeeded".
std::string life_in_words(JobHistory const& history, Id<Job> job);

}  // namespace gridcast
