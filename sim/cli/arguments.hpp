// Checks of arguments, with messages that say what would be right.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gridcast::cli {

/// How a verb says that it was chosen: it hands over what is to run, which gives the exit code.
using Select = std::function<void(std::function<int()>)>;

/// A whole number from `least` to `most`, in digits only.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// One of these words. An option with this check can be asked for it by the name `one_of_name`; its
/// description is the words with bars between them.
inline constexpr char one_of_name[] = "one of";
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace gridcast::cli
