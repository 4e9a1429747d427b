// The commands of submit files, by what they mean to a simulated campaign.
// HTCondor manual, condor_submit, "Submit description file commands".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridcast::import {

enum class SubmitEffect {
  decides,        // is read into the scenario
  none,           // changes nothing that is simulated
  not_simulated,  // would change something, and is not simulated
  unknown,        // no command of condor_submit, or one not known here
};

SubmitEffect submit_effect(std::string_view command);

/// The attribute that a command sets, as "+PeriodicRelease": it can be given in its place.
std::string attribute_of(std::string_view command);

/// Those that decide, for read_submit_file, and their attributes.
std::vector<std::string> const& deciding_submit_commands();

}  // namespace gridcast::import
