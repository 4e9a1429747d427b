// The calibration file's text to draws. The rows of the draws are read here, not by yaml-cpp, which
// would take as long for them as the simulation does for its first replicas.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/override.hpp"
#include "sim/scenario/yaml_document.hpp"

namespace gridcast::scenario {

inline constexpr char calibration_schema_name[] = "gridcast.calibration/1";

/// The rows of `draws`, each in a line of its own.
struct DrawRows {
  bool found = false;        // there is a line "rows:" below "draws:"
  std::string text_without;  // the file's text, the rows blank, all other lines where they were
  struct Row {
    int line = 0;
    std::string_view text;  // "- [1, 2, 3]"
  };
  std::vector<Row> rows;
};

/// The views in it are of `text`.
DrawRows split_rows(std::string const& text);

/// A number of a row, and where it stands.
struct RowNumber {
  double value = 0;
  int column = 0;
};

/// The numbers of "- [1, 2, 3]"; false and where it goes wrong if it is nothing of that form.
bool read_row(std::string_view text, std::vector<RowNumber>& numbers, int& wrong_at);

/// Each override is of a column of the draws, and holds in every row.
Calibration read_calibration_text(std::filesystem::path const& file, std::string const& text,
                                  std::vector<Override> const& overrides = {});

}  // namespace gridcast::scenario
