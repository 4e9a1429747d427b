// The lines of configuration that turn one strategy into another: of the submit file, of the access
// point, and of the sites. A setting that no line can express is a comment (`#`).
#pragma once

#include <string>
#include <vector>

#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {

struct SettingLine {
  Party where = Party::owner;  // whose file
  std::string text;

  bool operator==(SettingLine const&) const = default;
};

/// `as`: the party that asks; it decides whose the settings of the client are.
std::vector<SettingLine> setting_lines(scenario::Strategy const& current,
                                       scenario::Strategy const& wanted, Party as);

}  // namespace gridcast::optimize
