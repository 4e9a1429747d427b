// `gridcast help TOPIC`: what no verb's own help can say. Lists come from the tables that the
// program itself uses.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/screen.hpp"

namespace gridcast::report {

struct HelpTopic {
  std::string name;   // "exit-codes"
  std::string words;  // what it is about
};

std::vector<HelpTopic> const& help_topics();

/// The topic's page; check() fails on a name that is none.
std::string topic_text(std::string const& name, Screen const& screen);

/// Exit codes and environment, each as pairs of name and meaning (for the manual page as well).
struct NamedWords {
  std::string name, words;
};
std::vector<NamedWords> const& exit_code_words();
std::vector<NamedWords> const& environment_words();

}  // namespace gridcast::report
