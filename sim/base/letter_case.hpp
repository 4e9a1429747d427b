// Names whose case does not matter, as ClassAd attributes and submit commands: ASCII letters only,
// whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace gridcast::inline base {

char lower(char letter);
std::string lower(std::string_view text);
std::string upper(std::string_view text);

/// Less than, equal to or greater than zero, as strcasecmp.
int compare_ignoring_case(std::string_view a, std::string_view b);
bool same_ignoring_case(std::string_view a, std::string_view b);

/// Order of a map by such names.
struct LessIgnoringCase {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return compare_ignoring_case(a, b) < 0;
  }
};

}  // namespace gridcast::inline base
