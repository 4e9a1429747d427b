// HTCondor's hold and vacate codes in words that somebody who did not write HTCondor understands,
// and what to do about each.
//
// Sources: HTCondor manual, "Hold Reason Codes" and "Vacate Reason Codes" (job ClassAd attributes
// HoldReasonCode, HoldReasonSubCode, VacateReasonCode); condor_holdcodes.h. Subcodes of the
// transfer codes 12 and 13: an errno below 256, a plugin's exit status times 256, ETIME (62) for a
// plugin that outlived MAX_FILE_TRANSFER_PLUGIN_LIFETIME (src/condor_utils/file_transfer.cpp).
#pragma once

#include <string>

namespace gridcast::report {

struct ReasonWords {
  std::string what;
  std::string advice;  // empty: nothing to do
};

/// Words for a code that a log gives; for one that the manual does not have, its number.
ReasonWords words_of_code(int code, int subcode);

/// "13/256"; "13" alone if the subcode is 0.
std::string code_text(int code, int subcode);

}  // namespace gridcast::report
