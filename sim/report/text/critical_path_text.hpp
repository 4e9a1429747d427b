// The critical path as people read it.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/characters.hpp"
#include "sim/study/critical_path.hpp"

namespace gridcast::report {

/// Its length and what it was spent on, then its steps, of many the longest; nothing for no path.
/// `of` says which campaign's it is: "of this run", "of the typical replica".
std::string critical_path_text(std::vector<study::CriticalStep> const& path, std::string const& of,
                               Screen const& screen);

}  // namespace gridcast::report
