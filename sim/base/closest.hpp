// "Did you mean ...?" by edit distance (insert, delete, replace, swap of neighbours:
// Damerau-Levenshtein, optimal string alignment).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridcast::inline base {

/// The candidate that `word` (case ignored) most likely stands for: one that begins with it as a
/// whole word ("A100" of "A100-80GB"), the nearest if it is near enough to be a slip (at most a
/// third of its letters, at least one), or one that has it within ("bert" of "dlio-bert"). Empty if
/// none.
std::string closest(std::string_view word, std::vector<std::string> const& candidates);

/// "A100" of "A100-80GB" (case ignored), but not "A10".
bool is_first_word(std::string_view word, std::string_view name);

/// "Did you mean 'x'?" or, where nothing is near, "Known: a, b, c."
std::string suggestion(std::string_view word, std::vector<std::string> const& candidates);

}  // namespace gridcast::inline base
