// Conformal corrections (sim/study/conformal.hpp) as `gridcast validate` writes them and `gridcast
// predict` reads them: conformal.csv with the columns figure, campaigns, factor ("inf": no interval is
// wide enough).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/study/conformal.hpp"

namespace gridcast::report {

inline constexpr char conformal_file[] = "conformal.csv";

std::string conformal_csv(study::ConformalTable const& table);

/// InputError with all problems of the file.
std::vector<study::ConformalFactor> read_conformal(std::filesystem::path const& file);

/// The 90 % intervals of a prediction's figures, corrected.
void correct(Result& prediction, std::vector<study::ConformalFactor> const& factors);

}  // namespace gridcast::report
