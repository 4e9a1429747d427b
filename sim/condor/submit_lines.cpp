#include "sim/condor/submit_lines.hpp"

#include "sim/base/text.hpp"

namespace gridcast::condor {

std::optional<std::string_view> SubmitLines::raw() {
  if (rest_.empty()) return std::nullopt;
  auto const end = rest_.find('\n');
  auto const line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  return trim(line);
}

std::optional<SubmitLine> SubmitLines::next() {
  SubmitLine line;
  bool continues = false;
  while (auto const piece = raw()) {
    // A comment within a continued line is left out, and does not end it.
    if (piece->starts_with('#')) continue;
    if (!continues && piece->empty()) continue;
    if (line.number == 0) line.number = number_;
    continues = piece->ends_with('\\');
    auto const said = continues ? piece->substr(0, piece->size() - 1) : *piece;
    line.text += said;
    if (!continues) return line;
  }
  if (line.number == 0) return std::nullopt;
  return line;
}

std::optional<std::vector<std::string>> SubmitLines::until(
    std::function<bool(std::string_view)> const& ends) {
  std::vector<std::string> lines;
  while (auto const line = raw()) {
    bool const last = ends(*line);
    if (last || (!line->empty() && !line->starts_with('#'))) lines.emplace_back(*line);
    if (last) return lines;
  }
  return std::nullopt;
}

std::vector<std::string> SubmitLines::rest() {
  std::vector<std::string> lines;
  while (auto const line = raw()) {
    if (!line->empty() && !line->starts_with('#')) lines.emplace_back(*line);
  }
  return lines;
}

}  // namespace gridcast::condor
