// Calls whose arguments are constants, as formatTime(0, "%Y"): evaluated when they are parsed, and
// not in each negotiation cycle for each job.
#pragma once

#include "sim/classad/expression.hpp"

namespace gridcast::classad {

/// Gives the call its value if that is the same at all times and in all scopes.
void settle_if_constant(Node& call);

}  // namespace gridcast::classad
