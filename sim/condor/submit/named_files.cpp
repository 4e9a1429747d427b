#include "sim/condor/submit/named_files.hpp"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_compared = 1'000'000;

bool is_path(fs::path const& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_file(fs::path const& path) {
  std::error_code error;
  return is_path(path) && !fs::is_directory(path, error);
}

/// Large files of one size are taken for equal: they are input, of which only the size counts.
bool differ(fs::path const& a, fs::path const& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return false;
  auto const size = fs::file_size(a, error);
  if (error || size != fs::file_size(b, error) || error) return true;
  if (size > most_compared) return false;
  try {
    return read_text_file(a) != read_text_file(b);
  } catch (InputError const&) {
    return true;
  }
}

/// In the order of the folders.
NamedFile find(NameFolders const& folders, fs::path const& name,
               bool (*is_there)(fs::path const&)) {
  NamedFile found;
  for (fs::path const& folder : folders) {
    fs::path const file = folder / name;
    if (!is_there(file)) continue;
    if (found.path.empty()) {
      found.path = file;
    } else if (found.other.empty() && differ(found.path, file)) {
      found.other = file;
    }
  }
  if (found.path.empty()) found.path = folders.back() / name;
  return found;
}

}  // namespace

NameFolders folders_beside(fs::path const& file) {
  fs::path const folder = file.parent_path();
  std::error_code error;
  if (folder.empty() || fs::equivalent(folder, fs::current_path(error), error)) return {folder};
  return {fs::path(), folder};
}

void add_folder(NameFolders& folders, fs::path const& folder) {
  if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
}

NameFolders below(NameFolders const& folders, fs::path const& name) {
  NameFolders all;
  for (fs::path const& folder : folders) add_folder(all, folder / name);
  return all;
}

NamedFile named_file(NameFolders const& folders, fs::path const& name) {
  return find(folders, name, is_file);
}

NamedFile named_path(NameFolders const& folders, fs::path const& name) {
  return find(folders, name, is_path);
}

std::string note_on_other(NamedFile const& file) {
  if (file.other.empty()) return {};
  return fmt::format("{} counts, as HTCondor takes names from the current folder; {} differs",
                     file.path.string(), file.other.string());
}

}  // namespace gridcast::condor
