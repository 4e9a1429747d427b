// The answers that verbs print by default: at most twelve lines of at most 80 columns. The answer
// comes first, then the three best strategies or the range of the figure, the trade-off, the
// evidence, and the next command. --details prints the rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ledger/black_holes.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

inline constexpr std::size_t most_brief_lines = 12;
inline constexpr std::size_t brief_width = 80;

/// Blocks of lines in their order. If there are too many lines, the blocks with the least weight
/// are left out, and then the last lines of the rest.
class Brief {
 public:
  /// The weight of a block that is never left out.
  static constexpr int needed = 9;

  explicit Brief(Screen const& screen);

  /// That of the lines, which may be narrower than the one that was given.
  Screen const& screen() const { return screen_; }

  /// A paragraph of at most so many lines. A longer one is left out, or cut if it is needed.
  void say(std::string_view sentence, int weight, std::size_t most = 3);
  /// Lines without wrapping, cut to the width.
  void add(std::string_view lines, int weight);
  std::string text() const;

 private:
  struct Block {
    std::vector<std::string> lines;
    int weight = 0;
  };
  Screen screen_;
  std::vector<Block> blocks_;
};

/// "Next: COMMAND --details": what was typed, with options more. If it is too long for a line, the
/// options alone.
std::string next_command(Screen const& screen, std::string const& options = "--details");

std::string brief_comparison(Result const& result, Screen const& screen);
std::string brief_prediction(Result const& result, Screen const& screen);
std::string brief_replay(Result const& result, Screen const& screen);
std::string brief_ledger(ledger::Ledger const& ledger, ledger::BlackHoles const& holes,
                         Screen const& screen);
/// The ledger of one simulated campaign. `which`: "strategy s, seed 1, campaign 0".
/// `explanation`: why its transfers stall; may be empty.
std::string brief_campaign(ledger::Ledger const& ledger, std::string const& which,
                           std::string const& explanation, Screen const& screen);

}  // namespace gridcast::report
