// Why an attempt ended or a job was held, in words, and what to do about it: by HTCondor's code
// where the source gives one, else by what was read from its words (logs before 24.3, simulations).
#pragma once

#include <string>
#include <string_view>

#include "sim/ledger/endings.hpp"
#include "sim/report/text/condor_codes.hpp"

namespace gridcast::report {

/// "held", "evicted", "requeued", ...
std::string_view ending_word(history::EventKind kind);

ReasonWords words_of(ledger::Ending const& ending);

}  // namespace gridcast::report
