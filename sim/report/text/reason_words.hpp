// Why an attempt ended or a job was held, in words, and what to do about it: by HTCondor's code
// where the source gives one, else by what was read from its words (logs before 24.3, simulations).
#pragma once

#include <string>
#include <string_view>

#include "sim/history/attempts.hpp"
#include "sim/report/text/condor_codes.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {

/// "held", "evicted", "requeued", ...
std::string_view ending_word(history::EventKind kind);

ReasonWords words_of(history::Ending const& ending);

/// Why a span of time ended; empty where nothing says so.
std::string cause_in_words(history::PhaseSpan const& span);

}  // namespace gridcast::report
