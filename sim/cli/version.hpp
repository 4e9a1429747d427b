// Which gridcast this is, what it is built with, and how to cite it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gridcast::cli {

/// "gridcast 0.1.0 (9e01f93)".
std::string version_text();

/// Name and version of what it is built with: the compiler and each library.
std::vector<std::pair<std::string, std::string>> built_with();

/// The same as CITATION.cff, in words.
std::string citation_text();

/// All of these.
std::string version_in_full();

}  // namespace gridcast::cli
