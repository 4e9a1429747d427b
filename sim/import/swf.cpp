#include "sim/import/swf.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

constexpr std::size_t field_count = 18;

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    std::size_t const end = std::min(line.find_first_of(" \t\r", at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

std::optional<double> number_in(std::string_view text) {
  auto const value = text_as<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

using Numbers = std::array<double, field_count>;

std::optional<Seconds> known_time(double value) {
  return value == -1 ? std::nullopt : std::optional(Seconds(value));
}

std::optional<std::int64_t> known_count(double value) {
  constexpr double most = 9e15;
  if (value == -1 || std::abs(value) > most) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

SwfStatus status_of(double value) {
  bool const in_range = value >= 0 && value <= 5 && value == std::floor(value);
  return in_range ? static_cast<SwfStatus>(static_cast<int>(value)) : SwfStatus::unknown;
}

SwfJob job_of(Numbers const& n) {
  SwfJob job;
  job.number = known_count(n[0]).value_or(-1);
  job.submit = Seconds(n[1]);
  job.wait = known_time(n[2]);
  job.run = known_time(n[3]);
  job.processors = known_count(n[4]);
  job.requested_processors = known_count(n[7]);
  job.status = status_of(n[10]);
  return job;
}

/// Why a row is no job; empty if it is one.
std::string fault_of(SwfJob const& job) {
  auto const processors = job.processors ? job.processors : job.requested_processors;
  bool const part = job.status == SwfStatus::partial || job.status == SwfStatus::last_completed ||
                    job.status == SwfStatus::last_failed;
  constexpr Seconds longest(3e9);  // of a scenario
  bool const beyond = job.submit > longest || (job.run && *job.run > longest);
  if (beyond) return "left out: a time of more than a hundred years";
  if (job.submit < Seconds()) return "left out: the submit time is negative";
  if (part) return "left out: part of a job that stands in a line as a whole (status 2 to 4)";
  if (!job.run) return "left out: the run time is not known (-1)";
  if (*job.run < Seconds()) return "left out: the run time is negative";
  if (processors && *processors == 0) return "left out: no processors";
  if (processors && *processors < 0) return "left out: a negative number of processors";
  return "";
}

class SwfReader {
 public:
  explicit SwfReader(std::filesystem::path const& file) : file_(file.string()) {}

  SwfLog read(std::string_view text) {
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = std::min(text.find('\n', at), text.size());
      add_line(trim(text.substr(at, end - at)), ++number);
      at = end + 1;
    }
    if (log_.jobs.empty()) throw InputError(no_jobs());
    std::ranges::stable_sort(log_.jobs, {}, &SwfJob::submit);
    return std::move(log_);
  }

 private:
  void add_line(std::string_view line, int number) {
    if (line.empty()) return;
    if (line[0] == ';') return add_header(trim(line.substr(1)));
    ++log_.rows;
    auto const fields = fields_of(line);
    // The format has 18 fields, and -1 for an unknown one. With fewer it is open which one is
    // missing; logs of simulators append fields of their own.
    if (fields.size() < field_count) {
      return note(number, fmt::format("{} fields", fields.size()), "left out: a row has 18 fields");
    }
    Numbers numbers{};
    for (std::size_t i = 0; i < field_count; ++i) {
      auto const value = number_in(fields[i]);
      if (!value) {
        return note(number, fmt::format("'{}' in field {}", fields[i].substr(0, 40), i + 1),
                    "left out: a field is no number");
      }
      numbers[i] = *value;
    }
    bool const kept = add_job(job_of(numbers), number);
    if (kept && fields.size() > field_count) {
      note(number, fmt::format("{} fields", fields.size()), "kept: its first 18 fields count");
    }
  }

  /// False if it is left out.
  bool add_job(SwfJob const& job, int line) {
    std::string const who = fmt::format("job {}", job.number);
    if (std::string const fault = fault_of(job); !fault.empty()) {
      note(line, who, fault);
      return false;
    }
    if (job.submit < latest_) {
      note(line, who, "kept: out of the order of submission, put in their place");
    }
    latest_ = std::max(latest_, job.submit);
    log_.jobs.push_back(job);
    return true;
  }

  void add_header(std::string_view text) {
    auto const colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0) return;
    log_.header.try_emplace(std::string(trim(text.substr(0, colon))),
                            std::string(trim(text.substr(colon + 1))));
  }

  void note(int line, std::string what, std::string why) {
    log_.notes.push_back({{file_, line, 0}, std::move(what), std::move(why)});
  }

  std::vector<Problem> no_jobs() const {
    if (log_.rows == 0) {
      return {{{file_, 0, 0},
               "there is no job in it",
               "a row has 18 numbers",
               "Give a log in the Standard Workload Format to `gridcast init FILE`."}};
    }
    std::vector<Problem> problems;
    std::map<std::string, std::size_t> count;  // by reason
    for (TraceNote const& note : log_.notes) ++count[note.why];
    for (TraceNote const& note : log_.notes) {
      auto const of_reason = count.extract(note.why);
      if (!of_reason) continue;  // reported with the first row
      auto const rows = counted(of_reason.mapped(), "row");
      problems.push_back({note.where, note.what, note.why, "This holds for " + rows + "."});
    }
    add_problem(problems, {file_, 0, 0}, fmt::format("no job is left of its {} rows", log_.rows),
                "no row has a run time and the other numbers of a job",
                "Is it a log in the Standard Workload Format? `gridcast init FILE` reads "
                "no other with 18 numbers a row.");
    return problems;
  }

  std::string file_;
  SwfLog log_;
  Seconds latest_{};
};

constexpr std::int64_t most_processors = 10'000'000;

int processors_of(SwfJob const& job) {
  auto const known = job.processors ? job.processors : job.requested_processors;
  return static_cast<int>(std::clamp<std::int64_t>(known.value_or(1), 1, most_processors));
}

/// Starts that the log knows: submit and wait.
int most_in_use(SwfLog const& log) {
  std::vector<TraceJob> ran;
  for (SwfJob const& job : log.jobs) {
    if (!job.wait || *job.wait < Seconds()) continue;
    ran.push_back({job.submit + *job.wait, *job.run, {}, {}, processors_of(job)});
  }
  return most_at_once(ran);
}

/// The number of processors of the machine.
int machine_processors(SwfLog const& log, std::string const& file, std::optional<int> of_machine) {
  if (of_machine) return *of_machine;
  if (int const most = most_in_use(log); most > 0) return most;
  for (char const* name : {"MaxProcs", "MaxNodes"}) {
    auto const number = log.header_number(name);
    if (number && *number > 0) return static_cast<int>(std::min(*number, most_processors));
  }
  refuse({file, 0, 0}, "it does not contain how many jobs can run at a time",
         "it has no wait times, and no MaxProcs or MaxNodes", "Give --slots N.");
}

void check_widest(int widest, int processors, std::string const& file) {
  if (widest <= processors) return;
  throw InputError(
      Problem{{file, 0, 0},
              fmt::format("a job has {} processors, the machine {}", widest, processors),
              "it would never start",
              "Give --slots N with the processors of the machine."});
}

}  // namespace

std::optional<std::int64_t> SwfLog::header_number(std::string const& name) const {
  auto const found = header.find(name);
  if (found == header.end()) return std::nullopt;
  std::string value = found->second.substr(0, found->second.find_first_not_of("0123456789,"));
  std::erase(value, ',');  // "1,024 processors"
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

SwfLog parse_swf(std::string const& text, std::filesystem::path const& file) {
  return SwfReader(file).read(text);
}

SwfLog read_swf(std::filesystem::path const& file) {
  return parse_swf(read_record_text(file), file);
}

TraceCampaign import_swf(SwfLog const& log, std::filesystem::path const& file,
                         std::optional<int> of_machine) {
  // The archive rounds: a run time of 0 is one below half a second.
  constexpr Seconds below_half_a_second(0.25);
  TraceCampaign campaign;
  Seconds const first = log.jobs.front().submit;
  int widest = 0, of_slot = 0;
  for (SwfJob const& job : log.jobs) {
    widest = std::max(widest, processors_of(job));
    of_slot = std::gcd(of_slot, processors_of(job));
  }
  int const processors = machine_processors(log, file.string(), of_machine);
  check_widest(widest, processors, file.string());
  for (SwfJob const& job : log.jobs) {
    Seconds const run = *job.run > Seconds() ? *job.run : below_half_a_second;
    campaign.jobs.push_back({job.submit - first, run, {}, {}, processors_of(job) / of_slot});
  }
  campaign.slots = processors / of_slot;
  std::string const name = file.filename().string();
  campaign.title = fmt::format("{} jobs of {}", log.jobs.size(), name);
  campaign.comments = {
      fmt::format("Made from {} by gridcast init; see docs/formats.md.", name),
      fmt::format("Rows: {}; left out: {}; jobs: {}. A job occupies 1 to {} slots of {}.", log.rows,
                  log.rows - log.jobs.size(), log.jobs.size(), widest / of_slot,
                  of_slot == 1 ? "1 processor" : fmt::format("{} processors", of_slot))};
  return campaign;
}

}  // namespace gridcast::import
