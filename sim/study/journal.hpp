// The journal of a study: a file with each record of a replica. A study that was killed continues
// from it and gives the same bytes as a study that was not.
//
//   gridcast.journal/2 FINGERPRINT\n     study_fingerprint() (sim/study/prediction.hpp)
//   {replica u32, numbers u32, checksum u64, numbers x f64}   in the order in which they came
// Numbers have the byte order of this machine. The reader drops an entry that the end of a process
// cut off, and one that no replica can have written; their replicas are simulated again. So are
// failed replicas, which are not in the journal. An entry is on the disk a second after it was
// added: a loss of power costs little more than a kill.
//
// Another compiler, option or library may round differently. The fingerprint therefore depends on
// the build: no study mixes records of two builds.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// The build IDs that the linker gave the program and the libraries that it computes with (SimGrid,
/// libm, libstdc++), as one text without blanks; of a program without one the SHA-256 of its file.
std::string build_identity();

class Journal {
 public:
  /// True if a record can be one of this study.
  using Possible = std::function<bool(Record const&)>;

  /// Opens or creates `file` for the study that `fingerprint` names (no blanks in it), and keeps
  /// others out of it. InputError if the file is another study's, no journal, or in use;
  /// ResourceError if it cannot be written.
  Journal(std::filesystem::path file, std::string const& fingerprint, Possible possible = {});
  ~Journal();
  Journal(Journal const&) = delete;
  Journal& operator=(Journal const&) = delete;

  /// The records that were there when it was opened, each replica once.
  std::vector<std::pair<std::uint32_t, Record>> const& records() const { return records_; }
  /// A disk that is full ends the journal, which stays good up to there, and not the study.
  void add(std::uint32_t replica, Record const& record);
  /// Why it has ended, if it has.
  std::optional<Problem> const& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  void open();
  void read_or_begin();
  std::size_t read_entries(std::string const& bytes, std::size_t from);
  std::uint64_t checksum(std::uint32_t replica, std::string_view numbers) const;
  void sync();
  void end(int error);

  std::filesystem::path file_;
  std::string fingerprint_;
  Possible possible_;
  int descriptor_ = -1;
  std::size_t whole_ = 0;  // bytes of the head and the entries
  std::vector<std::pair<std::uint32_t, Record>> records_;
  std::optional<Problem> problem_;
  bool is_synced_ = true;
  Clock::time_point synced_ = Clock::now();
};

}  // namespace gridcast::study
