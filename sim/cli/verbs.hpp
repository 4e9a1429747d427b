// The verbs, one by one: each adds itself to the program, with its options and with what it runs;
// and which gridcast it is that they are verbs of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

/// "gridcast 0.1.0 (9e01f93)".
std::string version_text();

/// Name and version of what it is built with: the compiler and each library.
std::vector<std::pair<std::string, std::string>> built_with();

/// The same as CITATION.cff, in words.
std::string citation_text();

/// All of these.
std::string version_in_full();

void add_run(Verb& program);
void add_predict(Verb& program);
void add_forecast(Verb& program);
void add_watch(Verb& program);
void add_compare(Verb& program);
void add_replay(Verb& program);
void add_ledger(Verb& program);
void add_calibrate(Verb& program);
void add_validate(Verb& program);
void add_report(Verb& program);
void add_train(Verb& program);
void add_export(Verb& program);
void add_import(Verb& program);
void add_lesson(Verb& program);
void add_open(Verb& program);
void add_study(Verb& program);
void add_docs(Verb& program);
void add_schema(Verb& program);
void add_init(Verb& program);
void add_doctor(Verb& program);
/// These two tell of all verbs that the program has when they run.
void add_completion(Verb& program);
void add_help(Verb& program);

}  // namespace gridcast::cli
