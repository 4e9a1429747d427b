#include <algorithm>
#include <glob.h>
#include <system_error>

#include "sim/base/files.hpp"
#include "sim/condor/submit_file.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

/// A folder's own name is no pattern.
fs::path escaped(fs::path const& folder) {
  std::string name;
  for (char const c : folder.string()) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) name += '\\';
    name += c;
  }
  return name;
}

class RealFolder final : public SubmitFolder {
 public:
  std::string read(fs::path const& file) const override { return read_text_file(file); }

  std::vector<std::string> matching(fs::path const& folder, std::string const& pattern,
                                    Kind kind) const override {
    glob_t found{};
    std::vector<std::string> names;
    if (glob((escaped(folder) / pattern).c_str(), 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        fs::path const path = found.gl_pathv[i];
        std::error_code error;
        bool const is_folder = fs::is_directory(path, error);
        if (kind != Kind::any && is_folder != (kind == Kind::folders)) continue;
        // As the pattern is written: what stands before it is not the user's.
        std::string const name = path.string();
        std::string const before = (folder / "").string();
        names.push_back(name.starts_with(before) ? name.substr(before.size()) : name);
      }
    }
    globfree(&found);
    return names;
  }
};

}  // namespace

SubmitFolder const& real_submit_folder() {
  static RealFolder const folder;
  return folder;
}

}  // namespace gridcast::condor
