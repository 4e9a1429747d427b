// A folder for what is made while the server runs; only this user may look into it, and it goes with
// its owner.
#pragma once

#include <filesystem>
#include <string>

namespace gridcast::serve {

class Scratch {
 public:
  /// ResourceError if none can be made.
  Scratch();
  ~Scratch();
  Scratch(Scratch const&) = delete;
  Scratch& operator=(Scratch const&) = delete;

  std::filesystem::path file(std::string const& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

}  // namespace gridcast::serve
