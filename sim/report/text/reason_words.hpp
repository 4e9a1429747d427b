// Why an attempt ended or a job was held, in words for people who do not know HTCondor's code, and
// advice: by HTCondor's hold or vacate code if the source gives one, else by the kind that was read
// from its words (logs before 24.3, simulations).
//
// Sources: HTCondor manual, "Hold Reason Codes" and "Vacate Reason Codes" (job ClassAd attributes
// HoldReasonCode, HoldReasonSubCode, VacateReasonCode); condor_holdcodes.h. Subcodes of the
// transfer codes 12 and 13: an errno below 256, a plugin's exit status times 256, ETIME (62) for a
// plugin that outlived MAX_FILE_TRANSFER_PLUGIN_LIFETIME (src/condor_utils/file_transfer.cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/history/attempts.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

struct ReasonWords {
  std::string what;
  std::string advice;  // empty: nothing to do
};

/// Words for a code that a log gives; for one that the manual does not have, its number.
ReasonWords words_of_code(int code, int subcode);

/// "13/256"; "13" alone if the subcode is 0.
std::string code_text(int code, int subcode);

/// "held", "evicted", "requeued", ...
std::string_view ending_word(history::EventKind kind);

/// True if the advice on an ending names an act of the owner.
bool is_remedy(std::string_view advice);

/// For another batch system's record: without HTCondor's settings, and with general advice.
ReasonWords words_of(history::Ending const& ending,
                     history::BatchSystem system = history::BatchSystem::htcondor);

/// " because WHAT", in a sentence about an ending.
std::string because(std::string_view what);

/// Why a span of time ended; empty if it is not recorded.
std::string cause_in_words(history::PhaseSpan const& span,
                           history::BatchSystem system = history::BatchSystem::htcondor);

/// Why a strategy brings too few jobs to their end, with the sizes that matter: "held: input
/// of 137 GB is over the limit of 5 GB". `limit`: for input that the access point sends
/// itself.
std::string cause_words(history::Ending const& ending, Bytes input, Bytes limit);

/// Why no job ever ran: "no slot met the jobs' requirements".
std::string never_ran_words(study::NeverRan why, std::optional<history::Ending> const& cause,
                            Bytes input, Bytes limit);

}  // namespace gridcast::report
