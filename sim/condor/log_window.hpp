// A window that slides over a log of any size: what is looked at lies in one piece, and no more
// than a few megabytes are in memory at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace gridcast::condor {

class LogWindow {
 public:
  /// Fills at most so many bytes; 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t size)>;

  static constexpr std::size_t widest = std::size_t{8} << 20U;

  /// It begins as wide as that, and widens as it must.
  explicit LogWindow(Source source, std::size_t width = std::size_t{1} << 20U);

  /// What is loaded and not yet taken. Valid until more() is called.
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

}  // namespace gridcast::condor
