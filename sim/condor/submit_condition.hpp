// if, elif, else and endif of a submit file. A condition is true, false, a number, `defined NAME`
// or `version OP X.Y.Z`, with ! before it; HTCondor takes nothing more. The version is taken for
// the one below.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::condor {

inline constexpr char submit_version[] = "25.0.0";

class SubmitConditions {
 public:
  /// Whether lines are read at all here.
  bool active() const;
  /// False if the line is none of these words. InputError if it stands where it cannot, or if the
  /// condition makes no sense.
  bool take(std::string_view line, Location const& where,
            std::function<bool(std::string_view)> const& is_defined,
            std::function<std::string(std::string_view)> const& expand);
  /// InputError if an `if` has no `endif`.
  void end() const;

 private:
  struct Branch {
    Location where;
    bool outer = true;   // what is around it is read
    bool taken = false;  // one of its branches was
    bool active = false;
    bool in_else = false;
  };
  std::vector<Branch> open_;
};

}  // namespace gridcast::condor
