// The report page without its data: one HTML file, made from web/ when gridcast is built.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gridcast::report {

/// The page that belongs to a program in `folder`: page/report.html in it or in a folder above (a
/// build), or share/gridcast/report.html in one of these (an installation). None if it could not be
/// made, for want of Node.js and npm.
std::optional<std::string> report_template(std::filesystem::path folder);

/// That of the program that runs.
std::optional<std::string> report_template();

}  // namespace gridcast::report
