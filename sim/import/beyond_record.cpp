#include "sim/import/beyond_record.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/scenario/hardware.hpp"

namespace gridcast::import {
namespace {

constexpr double far_beyond = 2;

/// "input 47 times the record's (137 GB, not 2.9 GB)"; empty within the record.
std::string part(std::string const& what, double wanted, double recorded, std::string const& both) {
  if (!(recorded > 0) || wanted < far_beyond * recorded) return "";
  return fmt::format("{} {:.2g} times the record's{}", what, wanted / recorded, both);
}

/// All URLs together: at least as much as one job fetched.
Bytes recorded_input(CalibratedProgram const& program) {
  Bytes sum;
  for (auto const& [url, size] : program.sizes) sum += size;
  return sum;
}

}  // namespace

std::string beyond_record(CalibratedProgram const& program, scenario::Campaign const& campaign,
                          scenario::Pool const& pool) {
  Bytes const input = campaign.input_size(), recorded = recorded_input(program);
  int seen = 0, slots = 0;
  for (SeenSlots const& site : program.slots) seen += site.seen;
  for (scenario::SiteSpec const& site : pool.sites) slots += site.slots;
  int const at_a_time = std::min(campaign.jobs(), slots);
  bool const same_program = campaign.work.profile == program.profile;
  double const epochs = same_program && program.epochs > 0 && campaign.work.epochs > 0
                            ? static_cast<double>(campaign.work.epochs) / program.epochs
                            : 1;
  std::vector<std::string> parts = {
      part("input", input.value(), recorded.value(),
           fmt::format(" ({}, not {})", to_text(input), to_text(recorded))),
      part("work of a job", campaign.work.scale * epochs, 1, ""),
      part("jobs at a time", at_a_time, seen, fmt::format(" (up to {}, not {})", at_a_time, seen))};
  if (same_program) {
    parts.push_back(scenario::other_gpus(pool, campaign.request, program.pool));
  }
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace gridcast::import
