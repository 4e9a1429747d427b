// Files read whole, and written so: there is a whole file or none. The files that this process has
// read are remembered: OutputFile does not overwrite them, under any name. A verb that forgot to
// check this before its work therefore loses nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// A file that is written piece by piece: one without a name in the same folder, which gets its
/// name at the end. Nothing half-written stays behind, not even after a kill (file systems without
/// such files, and files that are replaced, have a name ".gridcast-PID-N.tmp" for as long as it
/// takes). It has the permissions of the file that it replaces. Special files (/dev/stdout, a pipe)
/// are written to directly.
class OutputFile {
 public:
  /// InputError if there can be no such file, ResourceError if there is no room for one.
  explicit OutputFile(std::filesystem::path const& path);
  ~OutputFile();
  OutputFile(OutputFile const&) = delete;
  OutputFile& operator=(OutputFile const&) = delete;

  /// For writers that keep a buffer of their own: each write is one of the system.
  std::ostream& out() { return out_; }
  /// Something could not be written (a full disk, a limit). The part already written is gone, and
  /// its room on the disk is free again; later writes are discarded.
  bool failed() const;
  /// Why.
  Problem problem() const;

  /// Gives the file its name when all of it is on the disk. ResourceError if it is not.
  void keep();

 private:
  class Buffer;
  /// Why as an exception: a wrong name or folder is the user's to mend, a full disk the machine's.
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream out_;
};

inline constexpr std::size_t most_text = std::size_t{1} << 30;

/// So many bytes of a file show whether it is text: as many as the header of a tar archive has.
inline constexpr std::size_t longest_mark = 512;

/// How long the byte order mark is that a file of text begins with, which is no part of the text:
/// programs of Windows write one before UTF-8. InputError if it is that of UTF-16, or if the file
/// is an archive or compressed in another way than by gzip or zstd.
std::size_t mark_size(std::filesystem::path const& path, std::string_view beginning);

/// The text of a file, without a byte order mark. InputError if it is missing, is a folder, cannot
/// be read, is longer than `most`, is UTF-16, or holds NUL bytes ("a binary file"). A file without
/// an end is read only as far as this check needs.
std::string read_text_file(std::filesystem::path const& path, std::size_t most = most_text);

/// For files that another file names, or a folder holds: InputError for a file that is not
/// ordinary, as a pipe, into which perhaps nobody writes. The reader reports a missing file or a
/// folder.
void expect_ordinary_file(std::filesystem::path const& path);

/// The whole file at once, as OutputFile writes it. InputError or ResourceError if it cannot be.
void write_file(std::filesystem::path const& path, std::string_view text);
/// The same for contents too large for one text: `write` writes them piece by piece, and is left by
/// an exception of the stream when the disk is full.
void write_file(std::filesystem::path const& path, std::function<void(std::ostream&)> const& write);

/// Makes sure that `folder` exists and can be written in (creates it). InputError otherwise.
void prepare_folder(std::filesystem::path const& folder);

/// SHA-256 of the bytes, in hexadecimal (FIPS 180-4).
std::string sha256(std::string_view bytes);
/// The same of all that a file holds, read piece by piece.
std::string sha256_of_file(std::filesystem::path const& file);

/// Files that are read from now on are protected. For programs; code that reads and writes in turns
/// does not call it.
void protect_input_files();

/// False, with errno, if not all could be written.
bool write_all(int descriptor, std::string_view text);

/// That a file is read.
void note_input_file(std::filesystem::path const& file);
/// That it is the process's own, which it has written or may write anew.
void note_own_file(std::filesystem::path const& file);

bool is_input_file(std::filesystem::path const& file);

// The file that a person may have meant by a name that does not exist.

/// That there is no such file, with the nearest name, also of a folder on the way to it:
/// "Did you mean 'campaign/job.sub'?"
Problem missing_file(std::filesystem::path const& file);

// Files that belong together, as a calibration and its pool: all of them get their names, or none
// does. A full disk then leaves nothing that the next try would be refused for.
struct OutputOfSet {
  std::filesystem::path path;
  OutputFile* file;
};

/// ResourceError with the problems of all files that could not be written. Files that were replaced
/// before a later one failed stay replaced.
void keep_together(std::vector<OutputOfSet> const& files);

struct TextOfSet {
  std::filesystem::path path;
  std::string_view text;
};

/// Writes the files, and keeps all or none. InputError or ResourceError.
void write_together(std::vector<TextOfSet> const& files);

}  // namespace gridcast::inline base
