#include "sim/ledger/endings.hpp"

#include <algorithm>

namespace gridcast::ledger {
namespace {

constexpr std::size_t most_rows = 500;

}  // namespace

EndingTable::Row EndingTable::row_of(history::Ending const& ending) {
  auto const found = std::find_if(rows_.begin(), rows_.end(), [&](EndingAccount const& account) {
    return account.ending == ending;
  });
  if (found != rows_.end()) return static_cast<Row>(found - rows_.begin());
  // Users and programs choose subcodes and exit codes; a broken log must not make rows without end.
  if (rows_.size() > most_rows) return static_cast<Row>(most_rows);
  bool const others = rows_.size() == most_rows;
  rows_.push_back({others ? history::Ending{.others = true} : ending, 0, 0, Seconds(), Seconds()});
  met_.emplace_back();
  return static_cast<Row>(rows_.size() - 1);
}

EndingTable::Row EndingTable::add(history::JobEvent const& event, Seconds slot_time_lost) {
  Row const row = row_of(history::ending_of(event));
  EndingAccount& account = rows_[row];
  ++account.times;
  account.slot_time_lost += slot_time_lost;
  auto& met = met_[row];
  if (event.job.index() >= met.size()) met.resize(event.job.index() + 1);
  if (!met[event.job.index()]) ++account.jobs;
  met[event.job.index()] = true;
  return row;
}

std::vector<EndingAccount> EndingTable::accounts() const {
  auto sorted = rows_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](EndingAccount const& a, EndingAccount const& b) {
                     Seconds const cost_a = a.slot_time_lost + a.held;
                     Seconds const cost_b = b.slot_time_lost + b.held;
                     return cost_a != cost_b ? cost_a > cost_b : a.times > b.times;
                   });
  return sorted;
}

}  // namespace gridcast::ledger
