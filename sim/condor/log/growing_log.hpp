// A job event log that HTCondor is writing: reads only the bytes that are new, and never half an
// event.
//
//   rotation    the name belongs to another file: the rest of the old one is read, then the new
//               one. A program that holds the old one open writes to it still: it is read on
//   truncation  the file is shorter than the part that was read: it is read from its start
//   overwriting the first or the latest bytes of that part are others now: likewise
//   copy        a new file repeats the old one's events: each event counts once
//
// Between two looks a log can be rotated twice, or be copied and truncated. Files with the log's
// name and ".1", ".old" or a date behind it are then read first, if they were written since.
//
// JSON of other layouts than HTCondor's has no line that ends an event. It is read as a whole, and
// a file that replaces it replaces all events. So does a file in another form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::condor {

class GrowingLog {
 public:
  /// InputError for a file that cannot be opened.
  explicit GrowingLog(std::filesystem::path file);
  ~GrowingLog();
  GrowingLog(GrowingLog const&) = delete;
  GrowingLog& operator=(GrowingLog const&) = delete;

  /// True if there are new events. A file that is gone for the moment has none. InputError if it is
  /// no event log.
  bool read_more();

  /// True since the last call if another file has taken its place, or other content in the file.
  bool was_replaced() { return std::exchange(replaced_, false); }

  /// True since the last call if the file has gone: no file has its name at some looks in a row.
  bool has_gone() { return std::exchange(gone_, false); }

  bool is_there() const { return looks_without_file_ < patience; }

  std::filesystem::path const& file() const { return file_; }
  /// All events so far, as text.
  std::string_view text() const { return text_; }
  /// True if both follow the same file, under one name or two.
  bool is_same_file(GrowingLog const& other) const {
    return device_ == other.device_ && inode_ == other.inode_;
  }
  /// All bytes that were ever read.
  std::size_t bytes_read() const { return bytes_read_; }
  /// Seconds since the file, or the one before it, was written last, by the clock of this machine.
  double silent_s() const;

 private:
  /// The file that had the name before the present one.
  struct Old {
    int descriptor = -1;
    std::size_t offset = 0;
    std::string tail = {};
  };

  bool open_new();
  void keep(Old old);
  bool drain();
  bool read_blocks(int descriptor, std::size_t& offset, std::string& tail,
                   std::function<bool(std::string_view)> const& take);
  bool read_old();
  bool read_rotated();
  bool read_on(int descriptor);
  bool recognise(std::string_view bytes);
  bool holds_part_read(int descriptor) const;
  void start_over();
  void remember(std::string_view bytes);
  bool take_events(std::string& tail);

  std::filesystem::path file_;
  Old old_;
  int descriptor_ = -1;
  std::uint64_t device_ = 0, inode_ = 0;
  std::int64_t written_ns_ = 0;  // its last change when it was read last
  std::size_t offset_ = 0, bytes_read_ = 0;
  bool recognised_ = false;     // the form of the file
  std::string_view event_end_;  // in this form; empty: an event has no end of its own
  bool replaced_ = false, gone_ = false;
  int looks_without_file_ = 0;
  static constexpr int patience = 2;  // looks; a rotation leaves the name without a file
  std::string first_, last_;  // bytes of the part that was read, at its beginning and its end
  std::string tail_;          // behind the last whole event
  std::string text_;          // all events, each once
  std::unordered_set<std::uint64_t> known_;  // hashes of their texts
};

/// All events so far of the logs of one campaign. `seen_until` of the history is after the last one
/// by the time since the latest writing.
LoggedHistory history_of(std::vector<GrowingLog const*> const& logs, ReadLogOptions const& options);

}  // namespace gridcast::condor
