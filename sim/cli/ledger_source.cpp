#include "sim/cli/ledger_source.hpp"

#include <algorithm>
#include <cctype>

#include "sim/base/error.hpp"
#include "sim/condor/log/log_input.hpp"

namespace gridcast::cli {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view trimmed_front(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) {
    text.remove_prefix(byte_order_mark.size());
  }
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// A line of an ad: "Name = value".
bool is_assignment(std::string_view line) {
  auto const end = std::find_if_not(
      line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  auto rest = line.substr(static_cast<std::size_t>(end - line.begin()));
  bool const named =
      rest.size() < line.size() && std::isdigit(static_cast<unsigned char>(line[0])) == 0;
  return named && rest.substr(0, 3) == " = ";
}

std::string beginning_of(std::filesystem::path const& file) {
  constexpr std::size_t enough = 16384;
  condor::LogInput input(file);
  std::string text(enough, '\0');
  std::size_t size = 0;
  while (size < enough) {
    std::size_t const got = input.read(text.data() + size, enough - size);
    if (got == 0) break;
    size += got;
  }
  text.resize(size);
  return text;
}

}  // namespace

SourceKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file) {
  std::string_view const text = trimmed_front(beginning);
  std::string_view const line = text.substr(0, text.find_first_of("\r\n"));
  if (text.empty()) {
    return file.extension() == ".csv" ? SourceKind::job_table : SourceKind::event_log;
  }
  if (text[0] == '{' || text[0] == '[') {
    return has(text, "\"EventTypeNumber\"") ? SourceKind::event_log : SourceKind::ads;
  }
  if (line.substr(0, 4) == "*** " || is_assignment(line)) return SourceKind::ads;
  bool const event = text.size() > 4 && text.substr(3, 2) == " (";
  bool const table = !event && text[0] != '<' && (has(line, ",") || file.extension() == ".csv");
  return table ? SourceKind::job_table : SourceKind::event_log;
}

LedgerSources sort_by_kind(std::vector<std::filesystem::path> const& files) {
  LedgerSources sources;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    if (file == "-") {
      sources.logs.push_back(file);
      continue;
    }
    try {
      switch (kind_of_beginning(beginning_of(file), file)) {
        case SourceKind::event_log:
          sources.logs.push_back(file);
          break;
        case SourceKind::ads:
          sources.ads.push_back(file);
          break;
        case SourceKind::job_table:
          sources.tables.push_back(file);
          break;
      }
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  bool const mixed = !sources.tables.empty() && !(sources.logs.empty() && sources.ads.empty());
  if (mixed) {
    problems.push_back({{sources.tables.front().string(), 0, 0},
                        "a job table among event logs or ads",
                        "a table keeps sums without dates, which do not add up with dated events",
                        "Give them to one `gridcast ledger` each"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return sources;
}

}  // namespace gridcast::cli
