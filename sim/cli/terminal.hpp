// What the terminal can show.
#pragma once

#include "sim/report/finish_curve.hpp"

namespace gridcast {

/// What the locale's character set (LC_ALL, LC_CTYPE, LANG) says.
Charset charset();

bool stderr_is_terminal();

}  // namespace gridcast
