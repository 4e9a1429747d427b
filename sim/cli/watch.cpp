// gridcast watch LOG...: follows campaigns that are running, by their logs.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/child.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/running.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/log/growing_log.hpp"
#include "sim/report/text/running_text.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct WatchOptions {
  std::vector<fs::path> logs;
  RunningArguments running;
  fs::path work;        // --work
  std::string command;  // --run
  fs::path page;        // --page
};

/// One log, its last forecast, and when the next one is due.
class Watched {
 public:
  Watched(fs::path const& file, RunningArguments const& arguments)
      : log_(file), arguments_(arguments) {
    arguments_.logs = {file};
  }

  /// Reads and forecasts if there is a reason; whether there is something new to show.
  bool look() {
    bool const is_new = log_.read_more();
    replaced_ = log_.was_replaced() || replaced_;
    changed_ = is_new || changed_;
    if (log_.is_empty()) return false;
    if (Clock::now() < due_) {
      if (is_new) count_jobs();
      return is_new;
    }
    constexpr std::chrono::minutes ages(1);  // a silent log: the ages of its steps grow
    if (!changed_ && Clock::now() < forecast_at_ + ages) return false;
    forecast();
    return true;
  }

  /// True if its deadline passes for the first time: the median is later.
  bool passes_deadline() {
    bool const passes = result_->deadline && result_->met < 0.5;
    return passes && !std::exchange(passed_, true);
  }

  bool was_replaced() { return std::exchange(replaced_, false); }
  bool is_over() const { return over_; }
  fs::path const& file() const { return log_.file(); }
  std::optional<report::RunningResult> const& result() const { return result_; }

 private:
  /// Shows a new event before the next forecast.
  void count_jobs() {
    auto const logged = log_.history(arguments_.log);
    report::count_jobs(*result_, state_of(logged.history, arguments_.planned));
  }

  /// A forecast costs its time: the next one waits for four times as long.
  void forecast() {
    auto const begin = Clock::now();
    changed_ = false;
    auto const logged = log_.history(arguments_.log);
    result_ = follow_campaign(arguments_, logged.history);
    over_ = result_->over == result_->jobs;
    forecast_at_ = Clock::now();
    due_ = forecast_at_ + 4 * (forecast_at_ - begin);
  }

  condor::GrowingLog log_;
  RunningArguments arguments_;
  std::optional<report::RunningResult> result_;
  Clock::time_point forecast_at_, due_;
  bool changed_ = false, over_ = false, passed_ = false, replaced_ = false;
};

std::string clock_text() {
  std::time_t const now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

std::string escaped(std::string_view text) {
  std::string html;
  for (char const c : text) html += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return html;
}

/// Commands of --run, beside the watch: a slow one delays no forecast.
class DeadlineCommands {
 public:
  void start(std::string const& command) {
    running_.push_back(
        {command, std::make_unique<Child>(std::vector<std::string>{"sh", "-c", command}), ""});
  }

  bool is_empty() const { return running_.empty(); }

  /// Waits for output for `patience` at most, and reports the commands that have ended.
  void listen(std::chrono::milliseconds patience) {
    std::erase_if(running_, [&](Running& each) {
      if (each.child->listen(patience, each.out) != Child::Heard::end) return false;
      int const code = each.child->exit_code();
      print_results(each.out);
      if (code != 0) {
        std::string const complaints(trim(each.child->complaints()));
        print_notes(fmt::format("--run: '{}' ended with {}{}{}\n", each.command, code,
                                complaints.empty() ? "" : ": ", complaints));
      }
      return true;
    });
  }

 private:
  struct Running {
    std::string command;
    std::unique_ptr<Child> child;
    std::string out;
  };
  std::vector<Running> running_;
};

class Watch {
 public:
  explicit Watch(WatchOptions const& options)
      : options_(options), terminal_(isatty(STDOUT_FILENO) == 1) {
    for (fs::path const& log : options.logs) {
      logs_.push_back(std::make_unique<Watched>(log, options.running));
    }
  }

  int run() {
    InterruptWatch interrupts;
    for (bool first = true;; first = false) {
      for (auto const& log : logs_) {
        bool const is_new = log->look();
        if (log->was_replaced()) note_replaced(*log);
        if (first && !log->result()) note_waiting(*log);
        if (!is_new) continue;
        show(*log);
        check_deadline(*log);
      }
      bool const over =
          std::all_of(logs_.begin(), logs_.end(), [](auto const& log) { return log->is_over(); });
      commands_.listen({});
      if (over && commands_.is_empty()) return exit_code::done;
      constexpr timespec pause{0, 500'000'000};  // a new event shows within two seconds
      ::ppoll(nullptr, 0, &pause, &interrupts.wait_mask());
      if (interrupts.requested()) return exit_code::interrupted;
    }
  }

 private:
  bool several() const { return logs_.size() > 1; }

  std::string line(Watched const& log) const {
    std::string const text =
        log.result() ? report::running_line(*log.result()) : std::string("no event yet");
    return several() ? log.file().filename().string() + ": " + text : text;
  }

  /// A block that is drawn again on a terminal; elsewhere a line for each change.
  void show(Watched const& changed) {
    if (!terminal_) {
      print_results(clock_text() + " " + line(changed) + "\n");
    } else {
      redraw(changed);
    }
    if (!options_.page.empty()) write_page();
  }

  void redraw(Watched const& changed) {
    report::Screen shown = screen();
    shown.command = {};  // the answer renews itself
    std::string text = "gridcast watch, " + clock_text() + "\n";
    if (several()) {
      for (auto const& log : logs_) text += line(*log).substr(0, shown.width) + "\n";
    } else {
      text += report::brief_running(*changed.result(), shown);
    }
    std::string const up = drawn_ > 0 ? fmt::format("\x1b[{}A\x1b[J", drawn_) : "";
    drawn_ = std::count(text.begin(), text.end(), '\n');
    print_results(up + text);
  }

  void write_page() const {
    std::string text;
    for (auto const& log : logs_) {
      text += log->file().string() + "\n";
      if (log->result())
        text += report::running_text(*log->result(), {report::Charset::ascii, report::least_width});
      text += "\n";
    }
    write_file(options_.page,
               "<!doctype html><meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"refresh\" content=\"10\">\n"
               "<meta name=\"viewport\" content=\"width=device-width\">\n"
               // The 60 columns of the text fit a telephone.
               "<style>pre { font-size: min(1rem, 2.6vw) }</style>\n"
               "<title>gridcast watch</title>\n<pre>" +
                   escaped(text) + "</pre>\n");
  }

  void note_waiting(Watched const& log) {
    drawn_ = 0;
    print_notes(log.file().string() + ": no event yet; the watch waits for the first one\n");
  }

  void note_replaced(Watched const& log) {
    drawn_ = 0;
    print_notes(log.file().string() +
                ": it begins anew; its events are added to those before, each once\n");
  }

  /// Once for each log.
  void check_deadline(Watched& log) {
    if (!log.passes_deadline()) return;
    auto const& result = *log.result();
    std::string const report = fmt::format(
        "{}: the forecast passes the deadline: {} jobs have succeeded by then with {:.0f} % "
        "probability\n",
        log.file().string(), result.wanted, 100 * result.met);
    drawn_ = 0;
    print_notes(report);
    if (options_.command.empty()) return;
    commands_.start(options_.command);
  }

  WatchOptions const& options_;
  bool terminal_;
  std::vector<std::unique_ptr<Watched>> logs_;
  DeadlineCommands commands_;
  std::ptrdiff_t drawn_ = 0;  // lines on the terminal
};

int run_watch(WatchOptions options) {
  refuse_other_kinds(options.logs, "watch", "job event logs",
                     {InputKind::record, InputKind::table});
  VerbFiles files(IfThere::replace);
  files.reads(options.logs).reads({options.running.calibration, options.work});
  files.writes(options.page).prepare();
  keep_new_outputs();  // the last page stays when the watch ends with a problem
  if (!options.work.empty()) {
    if (options.logs.size() > 1) {
      refuse({"--work"}, "it is for one log", "it names the jobs of one campaign",
             "Follow each campaign by itself.");
    }
    options.running.planned = planned_work(options.work, options.running.overrides);
    if (options.running.planned.is_log) {
      refuse({options.work.string()}, "is an event log",
             "--work names the jobs that no log contains yet",
             "Name the submit file, the DAG or the scenario.");
    }
  }
  options.running.earlier = earlier_jobs(options.running.calibration);
  return Watch(options).run();
}

}  // namespace

void add_watch(Verb& program) {
  auto options = std::make_shared<WatchOptions>();
  Verb verb = program.verb("watch", "Follow a running campaign by its log, with a forecast");
  verb.positional("LOG", &options->logs,
                  "Job event logs that HTCondor is writing, each of one campaign")
      .required();
  verb.option("--wanted", &options->running.wanted, "Per cent of the jobs that are to succeed",
              "PERCENT")
      .number_within(1, 100)
      .shows_default();
  Option const deadline = verb.option(
      "--deadline", &options->running.deadline,
      "Report once when the wanted jobs will probably be later: a date, or a time since the\n"
      "first submission, as '3 d'",
      "TIME");
  Option const work =
      verb.option("--work", &options->work,
                  "Submit file, DAG or scenario with the jobs to come (one log)", "FILE");
  add_set_option(verb, options->running.overrides,
                 "With --work SCENARIO: another value, such as campaign.submit.0.jobs=50")
      .needs(work);
  verb.option("--calibration", &options->running.calibration,
              "Calibration of an earlier campaign, as a prior", "CAL");
  verb.option("--run", &options->command, "Run this shell command then", "COMMAND").needs(deadline);
  verb.option("--page", &options->page, "Keep a page that refreshes itself", "FILE");
  add_date_options(verb, options->running.log);
  verb.footer(
      "Several logs show one line each. It ends when all jobs are over; Ctrl-C ends it with 130.\n"
      "Examples:\n"
      "  gridcast watch campaign.log\n"
      "  gridcast watch campaign.log --deadline '3 d' --run 'mail -s late me </dev/null'");
  verb.runs([options] { return run_watch(*options); });
}

}  // namespace gridcast::cli
