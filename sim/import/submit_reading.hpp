// The commands of one group of jobs on their way into a scenario, with the notes and problems that
// come up; shared by the parts of the importer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/submit_file.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

struct SubmitReading {
  condor::SubmitGroup const& group;
  KnownSizes const& sizes;
  std::filesystem::path folder;  // of the submit file
  SubmitImport result;
  std::vector<Problem> problems;

  /// Null if it is not given or is empty.
  condor::SubmitValue const* find(std::string const& command) const;
  void note(Location const& where, std::string what) {
    result.notes.push_back({where, std::move(what)});
  }
  void complain(condor::SubmitValue const& value, std::string what, std::string why,
                std::string hint) {
    problems.push_back({value.where, std::move(what), std::move(why), std::move(hint)});
  }
};

void read_submit_request(SubmitReading& reading);
void read_submit_input(SubmitReading& reading);
void read_submit_policy(SubmitReading& reading);

}  // namespace gridcast::import
