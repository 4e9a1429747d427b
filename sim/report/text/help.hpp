// The texts of `gridcast VERB --help` and `gridcast help TOPIC`, and the manual page. Lists come
// from the tables that the program itself uses.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/command.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// On one screen, the last groups of options show their names alone.
enum class HelpLength { one_screen, whole };

std::string help_text(Command const& command, Screen const& screen,
                      HelpLength length = HelpLength::one_screen);

struct HelpTopic {
  std::string name;   // "exit-codes"
  std::string words;  // its subject
};

std::vector<HelpTopic> const& help_topics();

/// The topic's page; check() fails on an unknown name.
std::string topic_text(std::string const& name, Screen const& screen);

/// A key of a strategy ("transfer.on_stall", "on_stall") with its meaning; empty if there is none.
std::string setting_text(std::string const& key, Screen const& screen);

/// The same on every machine: without computed defaults, without a date.
std::string man_page(Command const& program, std::string const& version);

}  // namespace gridcast::report
