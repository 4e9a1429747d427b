// The file that a DAG's CONFIG names: DAGMan's settings, as HTCondor's configuration files are
// written. HTCondor manual, "Configuration Macros for DAGMan". Left out: conditions, includes and
// macros in values.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace gridcast::condor {

struct DagSetting {
  std::string value;
  Location where;
};

/// By name in capitals; the last of a name counts.
std::map<std::string, DagSetting> dag_settings(std::string_view text, std::string const& file);

/// Whether it would change what is simulated, and is not simulated.
bool is_left_out_setting(std::string_view name);

}  // namespace gridcast::condor
