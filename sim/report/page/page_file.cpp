#include "sim/report/page/page_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/base/program.hpp"

namespace gridcast::report {
namespace {

std::optional<std::string> contents(std::filesystem::path const& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> page_file(std::filesystem::path folder, std::string const& name) {
  for (;; folder = folder.parent_path()) {
    for (auto const* place : {"page", "share/gridcast"}) {
      if (auto page = contents(folder / place / name)) return page;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

std::optional<std::string> page_file(std::string const& name) {
  return page_file(program_file().parent_path(), name);
}

}  // namespace gridcast::report
