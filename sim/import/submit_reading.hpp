// The commands of one group of jobs on their way into a scenario, for what reads them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

/// With the notes and problems that come up.
struct SubmitReading {
  condor::SubmitGroup const& group;
  KnownSizes const& sizes;
  std::filesystem::path folder;  // of the submit file
  SubmitImport result;
  std::vector<Problem> problems;

  /// Null if it is not given or is empty. An attribute stands for its command.
  condor::SubmitValue const* find(std::string const& command) const;
  void note(Location const& where, std::string what);
  void complain(condor::SubmitValue const& value, std::string what, std::string why,
                std::string hint);
  void not_understood(std::string const& command, condor::SubmitValue const& value);
};

using Rule = std::optional<classad::Expression>;

/// Parsed, if all of its functions exist.
Rule parsed(SubmitReading& reading, std::string const& command, condor::SubmitValue const& value);

}  // namespace gridcast::import
