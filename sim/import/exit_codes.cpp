#include "sim/import/exit_codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridcast::import {

std::vector<int> failed_exit_codes(history::JobHistory const& history) {
  constexpr std::size_t most = 100;
  std::vector<int> all, codes;
  for (history::JobEvent const& event : history.events) {
    bool const exits =
        event.kind == history::EventKind::terminated || event.kind == history::EventKind::requeued;
    if (exits && !event.useful && event.exit_code != 0) all.push_back(event.exit_code);
  }
  std::sort(all.begin(), all.end());
  std::size_t const count = std::min(all.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    codes.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  }
  return codes;
}

void set_exit_codes(SubmitImport& import, std::vector<int> codes,
                    std::filesystem::path const& file) {
  std::vector<std::string> without_effect;
  auto const look = [&](char const* command, std::optional<int> code) {
    bool const known = codes.empty() ? code == 1 : std::count(codes.begin(), codes.end(), code) > 0;
    if (!code || *code == 0 || known) return;
    std::string text = fmt::format("{} {}", command, *code);
    auto const end = without_effect.end();
    if (std::find(without_effect.begin(), end, text) == end) without_effect.push_back(text);
  };
  for (scenario::Submission const& each : import.campaign.submit) {
    look("ABORT-DAG-ON", each.abort_on);
    look("UNLESS-EXIT", each.unless_exit);
  }
  if (!without_effect.empty()) {
    import.notes.push_back(
        {{file.string()},
         fmt::format("{}: no effect, as {}. To state the exit codes: campaign.work.exit_codes",
                     fmt::join(without_effect, ", "),
                     codes.empty() ? "programs that fail exit with 1 where no record shows a code"
                                   : "no failed program of the record exited with it")});
  }
  bool const all_one = std::all_of(codes.begin(), codes.end(), [](int code) { return code == 1; });
  if (!all_one) import.campaign.work.exit_codes = std::move(codes);
}

}  // namespace gridcast::import
