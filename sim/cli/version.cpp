#include "sim/cli/version.hpp"

#include <zlib.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gridcast_version.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::cli {

std::string version_text() {
  std::string const revision = version_revision;
  return "gridcast " + std::string(version_number) +
         (revision.empty() ? "" : " (" + revision + ")");
}

std::vector<std::pair<std::string, std::string>> built_with() {
  auto const dotted = [](int a, int b, int c) { return fmt::format("{}.{}.{}", a, b, c); };
#ifdef __clang__
  std::string const compiler = "Clang " __clang_version__;
#else
  std::string const compiler = "GCC " __VERSION__;
#endif
  return {
      {"compiler", compiler},
      {"SimGrid", engine::simgrid_version()},
      {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"CLI11", parser_version()},
      {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH)},
      {"zlib", zlibVersion()}};
}

std::string citation_text() {
  return fmt::format(
      "The gridcast developers. gridcast, version {}. Software, MIT licence.\n"
      "H. Casanova, A. Giersch, A. Legrand, M. Quinson, F. Suter. Versatile, scalable, and\n"
      "accurate simulation of distributed applications and platforms. Journal of Parallel and\n"
      "Distributed Computing 74(10), 2899-2917, 2014. doi:10.1016/j.jpdc.2014.06.008\n",
      version_number);
}

std::string version_in_full() {
  std::string text = version_text() + "\n\nBuilt with:\n";
  for (auto const& [name, version] : built_with()) {
    text += fmt::format("  {:<14} {}\n", name, version);
  }
  return text + "\nHow to cite (CITATION.cff):\n" + citation_text();
}

}  // namespace gridcast::cli
