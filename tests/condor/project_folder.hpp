// A folder of files that is the current one until the end of a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace gridcast::test {

class Project {
 public:
  Project()
      : before_(std::filesystem::current_path()),
        path_(std::filesystem::temp_directory_path() / "gridcast-project") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
  }
  ~Project() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

  void write(std::filesystem::path const& name, std::string const& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  void stand_in(std::filesystem::path const& folder) const {
    std::filesystem::current_path(path_ / folder);
  }

 private:
  std::filesystem::path before_, path_;
};

}  // namespace gridcast::test
