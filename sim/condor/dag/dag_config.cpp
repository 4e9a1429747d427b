#include "sim/condor/dag/dag_config.hpp"

#include <set>

#include "sim/base/text.hpp"

namespace gridcast::condor {

std::map<std::string, DagSetting> dag_settings(std::string_view text, std::string const& file) {
  std::map<std::string, DagSetting> settings;
  std::string line;
  int number = 0, begins = 0;
  for (std::string const& physical : split(std::string(text) + "\n", '\n')) {
    ++number;
    std::string_view part = trim(physical);
    if (line.empty()) begins = number;
    if (line.empty() && part.starts_with('#')) continue;
    bool const goes_on = part.ends_with('\\');
    if (goes_on) part.remove_suffix(1);
    line += part;
    if (goes_on) continue;
    auto const equals = line.find('=');
    if (equals != std::string::npos) {
      settings[upper(trim(line.substr(0, equals)))] = {std::string(trim(line.substr(equals + 1))),
                                                       {file, begins, 0}};
    }
    line.clear();
  }
  return settings;
}

bool is_left_out_setting(std::string_view name) {
  static std::set<std::string, std::less<>> const names = {
      "DAGMAN_MAX_JOBS_IDLE",          "DAGMAN_MAX_SUBMITS_PER_INTERVAL",
      "DAGMAN_SUBMIT_DELAY",           "DAGMAN_SUBMIT_DEPTH_FIRST",
      "DAGMAN_USER_LOG_SCAN_INTERVAL", "DAGMAN_MAX_PRE_SCRIPTS",
      "DAGMAN_MAX_POST_SCRIPTS",       "DAGMAN_ALWAYS_RUN_POST",
      "DAGMAN_RETRY_NODE_FIRST",       "DAGMAN_RETRY_SUBMIT_FIRST",
      "DAGMAN_MAX_JOB_HOLDS",          "DAGMAN_PROHIBIT_MULTI_JOBS",
      "DAGMAN_DEFAULT_PRIORITY",       "DAGMAN_DEFAULT_APPEND_VARS"};
  return names.contains(name);
}

}  // namespace gridcast::condor
