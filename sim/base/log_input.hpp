// The bytes of a log: from where they come, and the piece of them that is looked at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::inline base {

/// From a plain file, a gzip or zstd file or standard input ("-"), a block at a time. Compressed
/// parts one behind the other, as `cat a.gz b.gz` makes them, are one file.
class LogInput {
 public:
  /// InputError if it is missing, is a folder, or cannot be opened.
  explicit LogInput(std::filesystem::path const& file);

  /// At most `size` bytes; 0 at the end. InputError if the file gets longer by unpacking than any
  /// record does.
  std::size_t read(char* to, std::size_t size);

  /// After the end: the compressed data ended early or are damaged, or the disk failed. Empty if
  /// all went well.
  std::string const& trouble() const { return trouble_; }

  /// How far the file was read, in bytes on the disk: compressed or not.
  std::size_t bytes_of_file() const;

 private:
  struct Close {
    void operator()(void* file) const;
  };
  std::unique_ptr<void, Close> file_;  // a Packed
  std::filesystem::path name_;
  std::size_t read_ = 0;  // bytes, unpacked
  std::string trouble_;
};

/// All that an input still gives. InputError if that is more than `most_text`. `file` is its name.
std::string rest_of(LogInput& input, std::filesystem::path const& file);

/// All of a record that is text, decompressed; a table of jobs is small enough for that. InputError
/// as of read_text_file, and if the compressed data are not whole.
std::string read_record_text(std::filesystem::path const& file);

/// A window that slides over a log of any size: the current part is contiguous, and no more than a
/// few megabytes are in memory at once.
class LogWindow {
 public:
  /// Fills at most so many bytes; 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t size)>;

  static constexpr std::size_t widest = std::size_t{8} << 20U;

  /// It begins as wide as that, and widens as it must.
  explicit LogWindow(Source source, std::size_t width = std::size_t{1} << 16U);
  /// Of a text or an input, which has to outlive it.
  explicit LogWindow(std::string_view text);
  explicit LogWindow(LogInput& input)
      : LogWindow([&input](char* to, std::size_t size) { return input.read(to, size); }) {}

  /// The part that is loaded and not yet taken. Valid until more() is called.
  std::string_view text() const { return {buffer_.data() + begin_, end_ - begin_}; }
  /// The same, for unescaping in place.
  char* data() { return buffer_.data() + begin_; }
  void take(std::size_t size) { begin_ += size; }

  /// Loads more behind the text. False at the end of the log, or when the window is at its widest.
  bool more();
  bool at_end() const { return ended_; }
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  Source source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0, bytes_read_ = 0;
  bool ended_ = false;
};

}  // namespace gridcast::inline base
