// The journal of a study: each record as it comes back, in a file, so that a study which was killed
// goes on where it stood and gives the same bytes as one that was not.
//
//   gridcast.journal/1 FINGERPRINT\n     of all that the records depend on
//   {replica u32, numbers u32, checksum u32, numbers x f64}   in the order in which they came
// Numbers are as this machine has them: a journal is not meant to be carried elsewhere. An entry
// that the end of a process cut off is dropped, and its replica played again; failed replicas are
// not in it and get another chance.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/sample.hpp"

namespace gridcast::study {

class Journal {
 public:
  /// Opens or creates `file` for the study that `fingerprint` names (no blanks in it). InputError
  /// if the file is another study's, no journal, or cannot be written.
  Journal(std::filesystem::path file, std::string const& fingerprint);
  ~Journal();
  Journal(Journal const&) = delete;
  Journal& operator=(Journal const&) = delete;

  /// What was there when it was opened, each replica once.
  std::vector<std::pair<std::uint32_t, Record>> const& records() const { return records_; }
  /// InputError that names the file if it cannot be written to (a full disk, a size limit).
  void add(std::uint32_t replica, Record const& record);

 private:
  std::size_t read_entries(std::string const& bytes, std::size_t from);

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::vector<std::pair<std::uint32_t, Record>> records_;
};

}  // namespace gridcast::study
