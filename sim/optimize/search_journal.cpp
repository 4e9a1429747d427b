#include "sim/optimize/search_journal.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::optimize {
namespace {

constexpr std::size_t numbers_before_point = 2;

std::filesystem::path file_in(std::filesystem::path const& folder) {
  prepare_folder(folder);
  return folder / "search.journal";
}

}  // namespace

SearchJournal::SearchJournal(std::filesystem::path const& folder, std::string const& fingerprint,
                             std::size_t settings, std::size_t columns)
    : journal_(file_in(folder), fingerprint,
               [wanted = numbers_before_point + settings + columns](study::Record const& record) {
                 return record.size() == wanted && record[0] >= 0 && record[1] >= 0;
               }),
      settings_(settings) {
  for (auto const& [number, entry] : journal_.records()) {
    next_ = std::max(next_, number + 1);
    Point point(settings_);
    auto const values = entry.begin() + numbers_before_point;
    auto const record = values + static_cast<std::ptrdiff_t>(settings_);
    std::transform(values, record, point.begin(), [](double value) {
      return std::isnan(value) ? std::nullopt : std::optional(value);
    });
    auto& records = known_[static_cast<std::uint32_t>(entry[0])][point];
    records.emplace(static_cast<std::uint32_t>(entry[1]), study::Record(record, entry.end()));
  }
}

KnownRecords const& SearchJournal::known(std::uint32_t stage) const {
  static KnownRecords const none;
  auto const found = known_.find(stage);
  return found == known_.end() ? none : found->second;
}

void SearchJournal::add(std::uint32_t stage, Trial const& trial, study::Record const& record) {
  study::Record entry = {static_cast<double>(stage), static_cast<double>(trial.replica)};
  for (auto const& value : trial.point) entry.push_back(value.value_or(nan));
  entry.insert(entry.end(), record.begin(), record.end());
  journal_.add(next_++, entry);
}

}  // namespace gridcast::optimize
