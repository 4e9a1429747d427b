// Names of a platform's netpoints and links. SimGrid takes each once; a site may be called as a
// cache is.
#pragma once

#include <string>
#include <unordered_set>

namespace gridcast::engine {

class PlatformNames {
 public:
  /// `name`, with as many apostrophes as it takes.
  std::string unique(std::string name) {
    while (!used_.insert(name).second) name += '\'';
    return name;
  }

 private:
  std::unordered_set<std::string> used_;
};

}  // namespace gridcast::engine
