// The folders that results are written to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/report/data/csv_text.hpp"

namespace gridcast::cli {

/// Before any work: the folder is there (it is made), can be written in, and holds none of the
/// files that will be written, unless `force`. InputError otherwise.
void prepare_output(std::filesystem::path const& folder, std::vector<std::string> const& names,
                    bool force);

/// Each file whole or not at all.
void write_output(std::filesystem::path const& folder, std::vector<report::NamedText> const& files);

}  // namespace gridcast::cli
