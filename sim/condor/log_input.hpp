// The bytes of a log, from a plain file, a gzip file or standard input ("-"), a block at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace gridcast::condor {

class LogInput {
 public:
  /// InputError if it is missing, is a folder, or cannot be opened.
  explicit LogInput(std::filesystem::path const& file);

  /// At most `size` bytes; 0 at the end.
  std::size_t read(char* to, std::size_t size);

  /// After the end: the compressed data ended early or are damaged, or the disk failed. Empty if
  /// all went well.
  std::string const& trouble() const { return trouble_; }

 private:
  struct Close {
    void operator()(void* file) const;
  };
  std::unique_ptr<void, Close> file_;  // a gzFile
  std::string trouble_;
};

}  // namespace gridcast::condor
