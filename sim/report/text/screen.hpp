// What results are shown on: how wide it is, which characters it has, and whether in colour.
#pragma once

#include <cstddef>

namespace gridcast::report {

enum class Charset { ascii, utf8 };

struct Screen {
  Charset charset = Charset::ascii;
  std::size_t width = 80;
  bool colour = false;
};

/// Narrower and wider screens are taken for these: below, nothing fits; beyond, eyes lose the line.
inline constexpr std::size_t least_width = 60;
inline constexpr std::size_t most_width = 200;

/// Where there is no end of a line: documents, and texts that a caller cuts itself.
constexpr Screen endless_screen() {
  return {Charset::utf8, static_cast<std::size_t>(-1) / 2, false};
}

}  // namespace gridcast::report
