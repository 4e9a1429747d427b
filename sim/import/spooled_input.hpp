// What can be read once only, a pipe or standard input, kept so that it can be read like a file: first
// to see what it is, then by its reader. It lies in a file without a name in the folder for temporary
// files (TMPDIR), as it came, compressed or not, and is gone with the process.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace gridcast::import {

class SpooledInput {
 public:
  /// InputError if it cannot be opened or read, ResourceError if there is no room for it.
  explicit SpooledInput(std::filesystem::path const& source);

  /// By which it can be opened, any number of times, as long as this lives.
  std::filesystem::path path() const;
  /// "standard input", or the name that was given.
  std::string const& shown() const { return shown_; }

 private:
  std::shared_ptr<int const> file_;  // a descriptor, closed with its last owner
  std::string shown_;
};

/// Whether it can be read once only.
bool is_read_once(std::filesystem::path const& source);

}  // namespace gridcast::import
