#include "sim/base/output_set.hpp"

#include <memory>
#include <system_error>
#include <utility>

namespace gridcast::inline base {

namespace fs = std::filesystem;

void keep_together(std::vector<OutputOfSet> const& files) {
  std::vector<Problem> problems;
  for (auto const& [path, file] : files) {
    if (file->failed()) problems.push_back(file->problem());
  }
  if (!problems.empty()) throw ResourceError(std::move(problems));
  std::error_code ignored;
  std::vector<fs::path> fresh;
  try {
    for (auto const& [path, file] : files) {
      bool const replaces = fs::exists(path, ignored);
      file->keep();
      if (!replaces) fresh.push_back(path);
    }
  } catch (ProblemsError const&) {
    for (fs::path const& path : fresh) fs::remove(path, ignored);
    throw;
  }
}

void write_together(std::vector<TextOfSet> const& files) {
  std::vector<std::unique_ptr<OutputFile>> written;
  std::vector<OutputOfSet> set;
  for (auto const& [path, text] : files) {
    written.push_back(std::make_unique<OutputFile>(path));
    written.back()->out() << text;
    set.push_back({path, written.back().get()});
  }
  keep_together(set);
}

}  // namespace gridcast::inline base
