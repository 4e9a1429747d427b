// Where the figures come from: the command, versions, seed, the scenario as it was read, and the
// SHA-256 of all that went in.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// A file that went in.
struct InputFileFact {
  std::string what, file, sha256;
  std::string text = {};  // of a scenario or a pool: shown
};

ReportSection provenance(std::vector<Result> const& results, std::string const& created_by,
                         std::string const& command, std::vector<InputFileFact> const& inputs);

}  // namespace gridcast::report
