// Reads a result as JSON, and gives the users of this layer the names of sim/base/json_fields.hpp.
#pragma once

#include <string>

#include "sim/base/json_fields.hpp"

namespace gridcast::report {

using gridcast::in_millionths;
using gridcast::Json;
using gridcast::json_number;
using gridcast::json_text;

/// The JSON of a text; InputError with its line and column if it is none, or does not end.
Json parse_json(std::string const& text, std::string const& source);

}  // namespace gridcast::report
