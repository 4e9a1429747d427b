// Gives the users of this layer the names of sim/base/json_fields.hpp.
#pragma once

#include "sim/base/json_fields.hpp"

namespace gridcast::report {

using gridcast::in_millionths;
using gridcast::Json;
using gridcast::json_number;
using gridcast::json_text;

}  // namespace gridcast::report
