#include "sim/condor/log/read_log.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/log_copies.hpp"
#include "sim/condor/log/log_history.hpp"

namespace gridcast::condor {

LogReport& LogReport::operator+=(LogReport const& other) {
  bytes += other.bytes;
  lines += other.lines;
  events += other.events;
  jobs += other.jobs;
  lines_not_understood += other.lines_not_understood;
  for (auto const& [number, count] : other.events_by_number) events_by_number[number] += count;
  warnings.insert(warnings.end(), other.warnings.begin(), other.warnings.end());
  return *this;
}

void LogWarnings::add(std::string_view what, std::size_t line, std::uint32_t in_file, Need need) {
  if (auto const* found = find_in(known_, what)) {
    ++report_.warnings[*found].count;
    return;
  }
  known_.emplace(what, report_.warnings.size());
  auto const shown = std::min<std::size_t>(line, std::numeric_limits<int>::max());
  report_.warnings.push_back({{files_[in_file], static_cast<int>(shown)}, std::string(what), need});
}

void LogWarnings::not_understood(std::string_view what, std::size_t line, std::size_t lines) {
  report_.lines_not_understood += lines;
  if (lines > 0) add(what, line);
}

namespace {

std::string count_line(LogReport const& report) {
  return counted(report.events, "event") + ", " + counted(report.jobs, "job") + ", " +
         counted(report.lines_not_understood, "line") + " not understood\n";
}

std::string first_of(LogReport const& report, bool (*wanted)(LogWarning const&)) {
  constexpr std::size_t most = 10;
  std::vector<LogWarning> warnings;
  std::ranges::copy_if(report.warnings, std::back_inserter(warnings), wanted);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i) {
    text += Problem{warnings[i].where, warnings[i].what, "", ""}.to_text();
    if (warnings[i].count > 1) text += fmt::format(" ({} times)", warnings[i].count);
    text += '\n';
  }
  if (warnings.size() > most) text += fmt::format("and {} more\n", warnings.size() - most);
  return text;
}

using Path = std::filesystem::path;

std::string shown(Path const& file) { return file == "-" ? "standard input" : file.string(); }

// Unix seconds of the file's last change; of standard input, the present.
std::optional<std::int64_t> last_change(Path const& file) {
  using namespace std::chrono;
  auto now = [] { return floor<seconds>(system_clock::now()).time_since_epoch().count(); };
  if (file == "-") return now();
  std::error_code code;
  auto const time = std::filesystem::last_write_time(file, code);
  if (code) return now();
  return floor<seconds>(file_clock::to_sys(time)).time_since_epoch().count();
}

struct OpenLog {
  explicit OpenLog(LogText const& log)
      : file(log.file),
        input(log.text ? std::nullopt : std::make_optional<LogInput>(log.file)),
        window(log.text ? LogWindow(*log.text) : LogWindow(*input)) {
    window.more();
    form = recognise_form(window.text());
  }
  std::string trouble() const { return input ? input->trouble() : ""; }

  Path file;
  std::optional<LogInput> input;
  LogWindow window;
  LogForm form;
};

struct FirstDate {
  std::int64_t ms = 0;
  bool has_year = true;
};

// The first event's, without taking anything off the log.
std::optional<FirstDate> first_date(OpenLog const& log) {
  LogWindow window(log.window.text());
  LogReport report;
  LogWarnings warnings(report);
  auto const events = open_events(log.form, window, warnings);
  RawEvent event;
  if (!events->next(event)) return std::nullopt;
  return FirstDate{event.at_ms, event.year_known};
}

/// The earliest of the dates of one record, which may go over New Year: the one after the longest
/// time without any. None if they are more than a season apart.
std::optional<std::int64_t> begin_within_a_year(std::vector<std::int64_t> dates_ms) {
  constexpr std::int64_t day = 86'400'000, year_ms = 366 * day, season_ms = 90 * day;
  std::ranges::sort(dates_ms);
  std::int64_t begin = dates_ms.front(), longest = begin + year_ms - dates_ms.back();
  for (std::size_t i = 1; i < dates_ms.size(); ++i) {
    std::int64_t const gap = dates_ms[i] - dates_ms[i - 1];
    if (gap <= longest) continue;
    longest = gap;
    begin = dates_ms[i];
  }
  return year_ms - longest <= season_ms ? std::optional(begin) : std::nullopt;
}

// The logs in the order of their first events' dates; without years, if they are of one season.
class LogFiles {
 public:
  explicit LogFiles(std::vector<LogText> const& logs) : several_(logs.size() > 1) {
    for (LogText const& log : logs) look_at(log);
    if (!problems_.empty()) throw InputError(std::move(problems_));
    if (!several_ || !sortable_ || found_.empty()) return;
    bool const dated = found_.front().first.has_year;
    std::vector<std::int64_t> dates;
    for (Found const& each : found_) {
      if (each.first.has_year != dated) return;
      dates.push_back(each.first.ms);
    }
    auto const begin = dated ? std::optional(std::int64_t{}) : begin_within_a_year(dates);
    if (!begin) return;
    auto const key = [&](Found const& each) {
      return std::pair(!dated && each.first.ms < *begin, each.first.ms);
    };
    std::ranges::stable_sort(found_,
                             [&](Found const& a, Found const& b) { return key(a) < key(b); });
  }

  std::size_t size() const { return found_.size(); }

  std::string name(std::size_t index) const { return shown(found_[index].source.file); }

  /// True if it can be opened a second time.
  bool opens_again(std::size_t index) const { return !found_[index].log; }

  std::unique_ptr<OpenLog> open(std::size_t index) {
    Found& found = found_[index];
    if (found.log) return std::move(found.log);
    return std::make_unique<OpenLog>(found.source);
  }

 private:
  struct Found {
    LogText source;
    std::unique_ptr<OpenLog> log;  // of a file that cannot be opened twice
    FirstDate first;
  };

  void look_at(LogText const& source) {
    collect(problems_, [&] {
      auto log = std::make_unique<OpenLog>(source);
      if (log->form == LogForm::none) {
        add_problem(problems_, {shown(source.file)}, "is no job event log",
                    "it looks like " + looks_like(log->window.text()),
                    "Records are event logs, ads (condor_history -json) and tables with "
                    "a row of names first.");
        return;
      }
      Found found{source, nullptr, {}};
      if (several_ && log->form != LogForm::empty) {
        auto const date = first_date(*log);
        sortable_ = sortable_ && date;
        found.first = date.value_or(FirstDate{});
      }
      std::error_code code;
      bool const again = source.text || std::filesystem::is_regular_file(source.file, code);
      if (!again) found.log = std::move(log);
      found_.push_back(std::move(found));
    });
  }

  bool several_;
  std::vector<Found> found_;
  std::vector<Problem> problems_;
  bool sortable_ = true;
};

class LogReading {
 public:
  LogReading(std::vector<LogText> const& logs, ReadLogOptions const& options)
      : options_(options), warnings_(report_), clock_(options_, warnings_), files_(logs) {}

  LoggedHistory read_into(LogHistory& history) {
    find_copies();
    refuse_clashes();
    for (std::size_t i = 0; i < files_.size(); ++i) read_file(i, history);
    LoggedHistory done = history.finish();
    report_.jobs = done.history.jobs.size();
    std::int64_t const offset = clock_.assumed_offset_s();
    if (done.history.start_unix) *done.history.start_unix -= offset;
    done.history.local_ahead_s = offset + clock_.offset_by_zone_s();
    done.report = std::move(report_);
    return done;
  }

  LogWarnings& warnings() { return warnings_; }

 private:
  // Problems of the files are reported when their events are taken.
  void find_copies() {
    if (files_.size() < 2) return;
    LogReport unused;
    LogWarnings warnings(unused);
    LogClock clock(options_, warnings);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!files_.opens_again(i)) continue;
      auto const log = files_.open(i);
      if (log->form == LogForm::empty) continue;
      copies_.begin_file(static_cast<std::uint32_t>(i));
      clock.read({log->form, log->window, last_change(log->file)},
                 [this](RawEvent const& event, std::int64_t at_ms) { copies_.add(event, at_ms); });
    }
    copies_.settle();
  }

  void read_file(std::size_t index, LogHistory& history) {
    auto const opened = files_.open(index);
    OpenLog& log = *opened;
    warnings_.in_file(shown(log.file));
    std::string trouble = log.trouble();
    if (log.form == LogForm::empty) {
      return warnings_.add(trouble.empty() ? "the file is empty" : trouble, 0);
    }
    std::size_t const lines =
        clock_.read({log.form, log.window, last_change(log.file)},
                    [&](RawEvent const& event, std::int64_t at_ms) {
                      ++report_.events;
                      ++by_number_[static_cast<std::size_t>(std::clamp(event.number, 0, 999))];
                      if (!is_copy(event, index, at_ms)) history.add(event, at_ms);
                    });
    trouble = log.trouble();
    if (!trouble.empty()) warnings_.add(trouble, lines);
    report_.bytes += log.window.bytes_read();
    report_.lines += lines;
    count_numbers();
  }

  bool is_copy(RawEvent const& event, std::size_t index, std::int64_t at_ms) {
    LogCopies::LeftOut* const left =
        copies_.left_out(event.job, static_cast<std::uint32_t>(index), at_ms);
    if (left == nullptr) return false;
    if (!std::exchange(left->reported, true)) {
      warnings_.add(
          fmt::format("a job is in {} as well, which has {} of it; its events here are left out",
                      files_.name(left->instead), left->fuller ? "more" : "as much"),
          event.line);
    }
    return true;
  }

  void count_numbers() {
    for (std::size_t number = 0; number < by_number_.size(); ++number) {
      if (by_number_[number] == 0) continue;
      report_.events_by_number[static_cast<int>(number)] += std::exchange(by_number_[number], 0);
    }
  }

  void refuse_clashes() const {
    FirstProblems problems;
    for (LogCopies::Clash const& clash : copies_.clashes()) {
      problems.add({{files_.name(clash.second_file), static_cast<int>(clash.line), 0},
                    fmt::format("job {} is in {} as well", to_text(clash.job),
                                files_.name(clash.first_file)),
                    "it was submitted at another time there: these are two campaigns",
                    "With --prefix the jobs of each file keep apart."});
    }
    problems.refuse("job");
  }

  ReadLogOptions options_;
  LogReport report_;
  LogWarnings warnings_;
  LogClock clock_;
  LogFiles files_;
  LogCopies copies_;
  std::array<std::size_t, 1000> by_number_{};
};

std::vector<LogText> in_files(std::vector<Path> const& files) {
  return each_of(files, [](Path const& file) { return LogText{file}; });
}

LoggedHistory with_events(LoggedHistory read) {
  auto const& report = read.report;
  if (report.events > 0) return read;
  std::string const hint =
      "Name the file of `log =` in the submit file once a job is submitted, or print the jobs' "
      "ads: condor_history -json.";
  if (report.warnings.empty()) {
    refuse({}, "there is no event in the logs", "no file was named", hint);
  }
  auto const& first = report.warnings.front();
  throw InputError({first.where, "there is no event in the logs", first.what, hint});
}

}  // namespace

std::string warnings_text(LogReport const& report) {
  return first_of(report, [](LogWarning const&) { return true; });
}

std::string problems_text(LogReport const& report) {
  return first_of(report, [](LogWarning const& warning) { return !warning.where.file.empty(); });
}

std::string actions_text(LogReport const& report) {
  return (report.lines_not_understood > 0 ? count_line(report) : "") +
         first_of(report, [](LogWarning const& warning) { return warning.need == Need::action; });
}

std::string to_text(LogReport const& report) { return count_line(report) + warnings_text(report); }

LoggedHistory read_texts(std::vector<LogText> const& logs, ReadLogOptions const& options) {
  LogReading reading(logs, options);
  LogHistory history(reading.warnings());
  return reading.read_into(history);
}

LoggedHistory read_logs(std::vector<Path> const& files, ReadLogOptions const& options) {
  return with_events(read_texts(in_files(files), options));
}

LoggedHistory stream_logs(std::vector<Path> const& files,
                          std::function<void(JobEvent const&)> const& sink,
                          ReadLogOptions const& options) {
  LogReading reading(in_files(files), options);
  LogHistory history(reading.warnings(), sink);
  return with_events(reading.read_into(history));
}

}  // namespace gridcast::condor
