// A file that is written piece by piece and is there whole or not at all: a temporary file in the
// same folder, which is renamed at the end. Nothing half-written stays behind. What is no ordinary
// file (/dev/stdout, a pipe) is written to as it is.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

class OutputFile {
 public:
  /// InputError if there can be no such file.
  explicit OutputFile(std::filesystem::path const& path);
  ~OutputFile();
  OutputFile(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;

  /// For writers that keep a buffer of their own: each write is one of the system.
  std::ostream& out() { return out_; }
  /// Something could not be written (a full disk, a limit). What there was is gone, and its room on
  /// the disk is free again; what is still written is thrown away.
  bool failed() const;
  /// Why, for InputError.
  Problem problem() const;

  /// Gives the file its name. InputError if not all could be written.
  void keep();

 private:
  class Buffer;
  std::filesystem::path path_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream out_;
};

}  // namespace gridcast::inline base
