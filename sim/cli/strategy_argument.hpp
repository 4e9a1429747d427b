// `--with NAME:KEY=VALUE[,KEY=VALUE...]` of compare: a strategy on the command line. And --goal.
#pragma once

#include <string>
#include <vector>

namespace gridcast::cli {

/// The strategy as overrides, "PATH=VALUE". A comma within brackets or quotes belongs to a value.
/// `baseline`: keys that it has as well, "KEY=VALUE".
std::vector<std::string> strategy_overrides(std::string const& with,
                                            std::vector<std::string> const& baseline);
/// Its name.
std::string strategy_name(std::string const& with);
/// The problem of such a text; empty if there is none.
std::string wrong_strategy(std::string const& with);

/// The problem of a goal; empty if there is none.
std::string wrong_goal(std::string const& goal);

}  // namespace gridcast::cli
