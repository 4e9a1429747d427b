// CONDOR_HOLD_CODE of HTCondor's condor_holdcodes.h: hold codes, and from 1000 on vacate codes, by
// the names that NumHoldsByReason and NumVacatesByReason have for them.
#pragma once

#include <string_view>

namespace gridcast::condor {

/// 0 for a name that is not known.
int code_named(std::string_view name);

}  // namespace gridcast::condor
