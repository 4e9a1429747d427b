// Files read whole, and written so that they are there whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// A file that is written piece by piece: a temporary file in the same folder, which is renamed at
/// the end. Nothing half-written stays behind. What is no ordinary file (/dev/stdout, a pipe) is
/// written to as it is.
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

/// The bytes of a file. InputError if it is missing, is a folder, cannot be read, or holds NUL
/// bytes ("a binary file").
std::string read_text_file(std::filesystem::path const& path);

/// Writes to a temporary file in the same folder, then renames. InputError if the folder cannot be
/// written; nothing half-written stays behind. What is no ordinary file (/dev/stdout, a pipe) is
/// written to as it is.
void write_file(std::filesystem::path const& path, std::string_view text);
/// The same for what is too large to be kept as one text: `write` writes it piece by piece, and is
/// left by an exception of the stream when the disk is full.
void write_file(std::filesystem::path const& path, std::function<void(std::ostream&)> const& write);

/// Makes sure that `folder` exists and can be written in (creates it). InputError otherwise.
void prepare_folder(std::filesystem::path const& folder);

/// SHA-256 of the bytes, in hexadecimal (FIPS 180-4).
std::string sha256(std::string_view bytes);

}  // namespace gridcast::inline base
