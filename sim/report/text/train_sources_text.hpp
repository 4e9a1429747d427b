// Every row of the source documents beside the model's, for a person or as the page
// docs/sources.md.
#pragma once

#include <string>
#include <vector>

#include "sim/training/published/source_table.hpp"

namespace gridcast::report {

std::string sources_text(std::vector<training::SourceTable> const& tables);
std::string sources_markdown(std::vector<training::SourceTable> const& tables);

}  // namespace gridcast::report
