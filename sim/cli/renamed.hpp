// The verbs and options of version 0.1 that have other names since 0.2: scripts that use them
// continue to work, with a note.
#pragma once

#include <string>
#include <vector>

namespace gridcast::cli {

struct RenamedWords {
  std::vector<std::string> words;
  std::vector<std::string> notes;  // "predict is now forecast", one for each name
};

/// `words`: of a command line, without the program's name. Example: {"import", "submit", "job.sub"}
/// becomes {"init", "job.sub"}.
RenamedWords with_new_names(std::vector<std::string> words);

/// "calibrate --check" for "validate"; empty for all others.
std::string new_name(std::string const& verb);

}  // namespace gridcast::cli
