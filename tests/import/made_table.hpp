// Tables of a few rows.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// A file of a test, gone with it.
class TestFile {
 public:
  TestFile(std::string const& name, std::string const& text)
      : path_(std::filesystem::temp_directory_path() / ("gridcast-attempts-" + name)) {
    std::ofstream(path_) << text;
  }
  ~TestFile() { std::filesystem::remove(path_); }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline AttemptTable read(std::string const& text, Columns const& columns = std::nullopt) {
  TestFile const file("t.csv", text);
  return read_attempt_tables({file.path()}, columns);
}

}  // namespace gridcast::import
