#include "sim/import/table/table_order.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>

#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

/// The digits that the text begins with, which are taken from it, without zeros before them.
std::string_view eat_number(std::string_view& text) {
  auto const end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool job_before(std::string_view one, std::string_view other) {
  std::string_view a = one, b = other;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      std::string_view const m = eat_number(a), n = eat_number(b);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      continue;
    }
    auto const x = static_cast<unsigned char>(a.front());
    auto const y = static_cast<unsigned char>(b.front());
    if (x != y) return x < y;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return one < other;  // "7" and "07"
}

/// Sorts the names; the new number of each.
template <class Before>
std::vector<std::uint32_t> sort_names(std::vector<std::string>& names, Before before) {
  std::vector<std::uint32_t> order(names.size()), number(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return before(names[a], names[b]); });
  std::vector<std::string> sorted;
  for (std::uint32_t const old : order) {
    number[old] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(names[old]));
  }
  names = std::move(sorted);
  return number;
}

/// All that a row tells, but for where it stands. Of two that tell one attempt that comes first
/// which knows how it ended.
auto told(AttemptRow const& row) {
  return std::tuple_cat(
      std::tuple(row.job, row.file, row.attempt, !row.ended),
      std::tie(row.submitted, row.matched, row.queued, row.transfer_started, row.transfer_ended,
               row.started, row.output_started, row.output_ended, row.ended, row.released,
               row.removed, row.outcome, row.reason, row.release_reason, row.code, row.subcode,
               row.exit_code, row.retry_of, row.user, row.name, row.batch, row.program,
               row.arguments, row.site, row.host, row.slot, row.gpus, row.gpus_implied,
               row.gpu_model, row.gpu_memory, row.gpu_capability, row.bytes_in, row.bytes_out,
               row.epochs, row.checkpoints, row.suspended, row.disconnected));
}

}  // namespace

void settle_order(AttemptTable& table) {
  auto const jobs = sort_names(table.jobs, job_before);
  auto const names = sort_names(table.names, std::less<std::string>());
  for (AttemptRow& row : table.rows) {
    row.job = jobs[row.job];
    if (row.retry_of) row.retry_of = jobs[*row.retry_of];
    for (auto* const name : {&row.user, &row.name, &row.batch, &row.program, &row.arguments,
                             &row.site, &row.host, &row.slot, &row.gpu_model}) {
      *name = names[*name];
    }
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](AttemptRow const& a, AttemptRow const& b) { return told(a) < told(b); });
}

}  // namespace gridcast::import
