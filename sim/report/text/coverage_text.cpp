#include "sim/report/text/coverage_text.hpp"

#include <fmt/format.h>

namespace gridcast::report {

std::string coverage_text(study::RecordComparison const& against) {
  std::size_t inside = 0, foregone = 0;
  for (study::PlacedFigure const& figure : against.figures) {
    study::Summary const& predicted = figure.predicted;
    if (predicted.p05 == predicted.p95 && predicted.p05 == figure.observed) {
      ++foregone;
    } else if (figure.inside) {
      ++inside;
    }
  }
  std::string text = fmt::format("{} of {} observed figures lie in the central 90 %", inside,
                                 against.figures.size() - foregone);
  if (foregone == 0) return text;
  return text + fmt::format(", and {} more {} the same in all replicas and in the record", foregone,
                            foregone == 1 ? "is" : "are");
}

}  // namespace gridcast::report
