#include "sim/import/table/recycled_jobs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

bool is_other_job(AttemptRow const& before, AttemptRow const& row) {
  if (before.attempt > 0 || row.attempt > 0 || row.retry_of || before.file != row.file)
    return false;
  bool const other_user = before.user != 0 && row.user != 0 && before.user != row.user;
  bool const after = before.ended && row.submitted && *row.submitted > *before.ended;
  return other_user || (after && before.outcome == AttemptOutcome::succeeded);
}

}  // namespace

void split_recycled_jobs(AttemptTable& table) {
  std::vector<AttemptRow*> rows;
  for (AttemptRow& row : table.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](AttemptRow const* a, AttemptRow const* b) {
    return a->job != b->job ? a->job < b->job : a->submitted < b->submitted;
  });
  std::size_t found = 0;
  AttemptRow const* first = nullptr;
  std::uint32_t number = 0, times = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool const same = i > 0 && rows[i]->job == number;
    if (!same) {
      number = rows[i]->job;
      times = 1;
      continue;
    }
    if (!is_other_job(*rows[i - 1], *rows[i])) {
      rows[i]->job = rows[i - 1]->job;
      continue;
    }
    rows[i]->job = static_cast<std::uint32_t>(table.jobs.size());
    table.jobs.push_back(fmt::format("{} ({})", table.jobs[number], ++times));
    if (found++ == 0) first = rows[i];
  }
  if (found == 0) return;
  table.report.note({{table.files[first->file], static_cast<int>(first->line), 0},
                     counted(found, "row") + " of a job number that denotes another job before",
                     "it is counted as a job of its own",
                     ""});
}

}  // namespace gridcast::import
