// "Did you mean ...?" by edit distance (insert, delete, replace, swap of neighbours:
// Damerau-Levenshtein, optimal string alignment).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridcast {

/// The candidate nearest to `word` (case ignored) if it is near enough to be a slip: at most a
/// third of its letters, at least one. Empty string if none is.
std::string closest(std::string_view word, std::vector<std::string> const& candidates);

/// "Did you mean 'x'?" or, where nothing is near, "Known: a, b, c."
std::string suggestion(std::string_view word, std::vector<std::string> const& candidates);

}  // namespace gridcast
