// The verbs: each adds itself to the program, or to the verb above it, with its options and its
// action. Also the version of the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

/// "gridcast 0.2.0 (9e01f93)".
std::string version_text();

/// Names and versions of the compiler and each library of the build.
std::vector<std::pair<std::string, std::string>> built_with();

/// The same as CITATION.cff, in words.
std::string citation_text();

/// All of these.
std::string version_in_full();

void add_ledger(Verb& program);
void add_forecast(Verb& program);
void add_watch(Verb& program);
void add_compare(Verb& program);
void add_optimize(Verb& program);
void add_open(Verb& program);
void add_lesson(Verb& program);
void add_init(Verb& program);
void add_calibrate(Verb& program);
void add_profile(Verb& program);
void add_export(Verb& program);
/// It describes all verbs that the program has when it runs.
void add_help(Verb& program);

/// compare status, gather, resume, cancel, shard.
void add_study(Verb& compare);
/// calibrate --check.
void add_check(Verb& calibrate);
/// export html.
void add_report(Verb& exports);
/// help doctor.
void add_doctor(Verb& help);

}  // namespace gridcast::cli
