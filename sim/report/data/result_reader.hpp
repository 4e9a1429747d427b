// The JSON results of gridcast.ledger/1, prediction/1, replay/1 and comparison/1 (docs/formats.md)
// as values. What a key that is not there would have told is left out, so that results of earlier
// versions can still be read; a key of the wrong type is a problem.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// InputError with all problems: no JSON (file:line:column), no result, a result of another schema
/// version, values of the wrong type.
Result read_result(std::string const& text, std::string const& source);
Result read_result(std::filesystem::path const& file);

/// InputError if they are of different scenarios, or of different versions of one. Recorded
/// campaigns go with any.
void check_alike(std::vector<Result> const& results);

}  // namespace gridcast::report
