// The terms that gridcast prints, each in a sentence or two: `gridcast help TERM`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/text/layout.hpp"

namespace gridcast::report {

struct Term {
  std::string_view name;    // "eviction"
  std::string_view others;  // forms that mean the same, with commas between: "evicted, evictions"
  std::string_view words;
};

/// In alphabetical order.
std::span<Term const> glossary();

/// By its name or another form, in any case, with '-' or '_' for a blank; null for no term.
Term const* find_term(std::string_view word);

/// The names of all terms, for suggestions.
std::vector<std::string> term_names();

std::string term_text(Term const& term, Screen const& screen);

}  // namespace gridcast::report
