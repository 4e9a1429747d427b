// The functions of submit files: $INT, $REAL, $STRING, $EVAL, $CHOICE, $SUBSTR, $F..., $BASENAME,
// $DIRNAME, and what is taken for $ENV and $RANDOM_*. HTCondor manual, "Function macros".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gridcast::condor {

struct SubmitFunctionResult {
  std::optional<std::string> text;  // none: the call stays as it stands
  std::string note;                 // what is to be said of it; empty: nothing
};

/// `value_of` gives a macro's value for its name, and any other text with its macros replaced.
SubmitFunctionResult call_submit_function(
    std::string_view name, std::string_view arguments,
    std::function<std::string(std::string const&)> const& value_of);

}  // namespace gridcast::condor
