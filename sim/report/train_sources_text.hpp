// Every row of the source documents beside the model's, for a person or as the page
// docs/sources.md.
#pragma once

#include <string>
#include <vector>

#include "sim/training/source_table.hpp"

namespace gridcast {

std::string sources_text(std::vector<SourceTable> const& tables);
std::string sources_markdown(std::vector<SourceTable> const& tables);

}  // namespace gridcast
