// Lines at the end of a terminal's output that are drawn again in their place, as condor_watch_q
// does: each line over the one before, so nothing flickers. They fit the window at any time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::cli {

class LiveBlock {
 public:
  /// True if standard output is a terminal that can move its cursor.
  static bool is_possible();

  /// Lines that the window has no room for are cut, the last ones left out.
  void draw(std::string_view text);
  /// True if the window has another size than at the last drawing.
  bool is_resized() const;
  /// Wipes the lines: other output takes their place.
  void wipe();

 private:
  struct Window {
    std::size_t columns = 0, rows = 0;
    bool operator==(Window const&) const = default;
  };
  static Window window();
  std::string to_first_line(Window const& window) const;

  Window window_;
  std::vector<std::size_t> widths_;  // of the lines that are shown
};

}  // namespace gridcast::cli
