#include "sim/report/report_template.hpp"

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace gridcast::report {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents(fs::path const& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> report_template(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    for (auto const* place : {"page", "share/gridcast"}) {
      if (auto page = contents(folder / place / "report.html")) return page;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

std::optional<std::string> report_template() {
  std::error_code ignored;
  return report_template(fs::read_symlink("/proc/self/exe", ignored).parent_path());
}

}  // namespace gridcast::report
