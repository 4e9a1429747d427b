#include "sim/base/input_files.hpp"

#include <mutex>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace gridcast::inline base {
namespace {

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> id_of(std::filesystem::path const& file) {
  struct stat found = {};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileId(found.st_dev, found.st_ino);
}

struct KnownFiles {
  std::mutex mutex;
  bool protect = false;
  std::set<FileId> read, own;
};

KnownFiles& known_files() {
  static KnownFiles known;
  return known;
}

}  // namespace

void protect_input_files() {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  known.protect = true;
}

void note_input_file(std::filesystem::path const& file) {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  if (!known.protect) return;
  auto const id = id_of(file);
  if (id && !known.own.contains(*id)) known.read.insert(*id);
}

// It may have the number of a file that was read and is gone.
void note_own_file(std::filesystem::path const& file) {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  if (!known.protect) return;
  auto const id = id_of(file);
  if (!id) return;
  known.own.insert(*id);
  known.read.erase(*id);
}

bool is_input_file(std::filesystem::path const& file) {
  KnownFiles& known = known_files();
  std::lock_guard const lock(known.mutex);
  auto const id = known.read.empty() ? std::nullopt : id_of(file);
  return id && known.read.contains(*id);
}

}  // namespace gridcast::inline base
