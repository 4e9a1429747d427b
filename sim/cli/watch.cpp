// gridcast watch LOG...: follows campaigns that are running, by their logs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
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
#include "sim/condor/log/growing_log.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/import/dag_campaign.hpp"
#include "sim/report/text/running_text.hpp"

namespace gridcast::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct WatchOptions {
  std::vector<fs::path> logs;
  RunningArguments running;
  fs::path work;        // --work
  std::string command;  // --run
  fs::path page;        // --page
};

/// When each job was submitted, Unix seconds; nothing where its log does not show it.
using Submissions = std::map<history::JobName, std::optional<std::int64_t>>;

Submissions submissions_of(history::JobHistory const& history) {
  Submissions submissions;
  for (history::JobName const job : history.jobs) submissions[job];
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::submitted || !history.start_unix) continue;
    submissions[history.jobs[event.job.index()]] =
        *history.start_unix + std::llround(event.at.value());
  }
  return submissions;
}

/// True if a job is in both, and none was submitted at two times: numbers alone may be those of two
/// access points.
bool share_a_job(Submissions const& a, Submissions const& b) {
  bool shared = false;
  for (auto const& [job, at] : a) {
    auto const found = b.find(job);
    if (found == b.end()) continue;
    constexpr std::int64_t ms = 1000;
    bool const known = at && found->second;
    if (known && !condor::same_in_some_zone(*at * ms, *found->second * ms)) return false;
    shared = true;
  }
  return shared;
}

/// The logs of one campaign, its last forecast, and when the next one is due.
class Watched {
 public:
  Watched(fs::path const& file, RunningArguments const& arguments) : arguments_(arguments) {
    logs_.push_back(std::make_unique<condor::GrowingLog>(file));
  }

  /// Reads and forecasts if there is a reason.
  void look() {
    bool is_new = false;
    for (auto const& log : logs_) is_new = log->read_more() || is_new;
    changed_ = is_new || changed_;
    bool const has_events =
        std::ranges::any_of(logs_, [](auto const& log) { return !log->text().empty(); });
    constexpr std::chrono::minutes ages(1);  // a silent log: the ages of its steps grow
    bool const due = Clock::now() >= due_ && (changed_ || Clock::now() >= forecast_at_ + ages);
    if (!has_events || !(is_new || due)) return;
    auto const history = this->history();
    if (history.jobs.empty()) return;
    news_ = true;
    due ? forecast(history) : count_jobs(history);
  }

  bool has_news() const { return news_; }
  /// True if there is something new to show since the last call.
  bool take_news() { return std::exchange(news_, false); }

  /// True if its deadline passes for the first time: the median is later. As long as no job has
  /// ended, times are guesses, and nearly all have to be later.
  bool passes_deadline() {
    double const least = result_->guessed ? 0.05 : 0.5;
    bool const passes = result_->deadline && result_->met < least;
    return passes && !std::exchange(passed_, true);
  }

  /// The files that begin anew since the last call.
  std::vector<fs::path> replaced() {
    std::vector<fs::path> files;
    for (auto const& log : logs_) {
      if (log->was_replaced()) files.push_back(log->file());
    }
    return files;
  }

  /// The files that have gone since the last call.
  std::vector<fs::path> gone() {
    std::vector<fs::path> files;
    for (auto const& log : logs_) {
      if (log->has_gone()) files.push_back(log->file());
    }
    return files;
  }

  bool is_same_file(Watched const& other) const {
    return logs_.front()->is_same_file(*other.logs_.front());
  }
  /// True if both have a part of one campaign.
  bool belongs_to(Watched const& other) const {
    return share_a_job(submissions_, other.submissions_);
  }
  /// From now on the logs of another one are of this campaign.
  void join(Watched&& other) {
    std::move(other.logs_.begin(), other.logs_.end(), std::back_inserter(logs_));
    passed_ = passed_ || other.passed_;
    changed_ = true;
    due_ = {};
  }

  bool is_over() const { return over_; }
  std::vector<std::unique_ptr<condor::GrowingLog>> const& logs() const { return logs_; }
  fs::path const& file() const { return logs_.front()->file(); }
  std::optional<report::RunningResult> const& result() const { return result_; }

 private:
  history::JobHistory history() {
    std::vector<condor::GrowingLog const*> logs;
    for (auto const& log : logs_) logs.push_back(log.get());
    auto history = condor::history_of(logs, arguments_.record.dates).history;
    submissions_ = submissions_of(history);
    return history;
  }

  /// Shows a new event before the next forecast.
  void count_jobs(history::JobHistory const& history) {
    auto const record = import::record_of(arguments_.planned.dag, history);
    report::count_jobs(*result_, state_of(record, arguments_.planned));
  }

  /// A forecast costs its time: the next one waits for four times as long.
  void forecast(history::JobHistory const& history) {
    auto const begin = Clock::now();
    changed_ = false;
    result_ = follow_campaign(arguments_, history);
    over_ = result_->over == result_->jobs && !expects_nodes(history);
    forecast_at_ = Clock::now();
    due_ = forecast_at_ + 4 * (forecast_at_ - begin);
  }

  /// DAGMan submits a node some seconds after its parents' end; only the DAG names the last one.
  bool expects_nodes(history::JobHistory const& history) const {
    constexpr Seconds patience(60);
    bool const of_dag = std::ranges::any_of(
        history.labels, [](auto const& labels) { return !labels.node.empty(); });
    bool const quiet =
        history.events.empty() || history.end() - history.events.back().at > patience;
    return of_dag && arguments_.planned.nodes.empty() && !quiet;
  }

  std::vector<std::unique_ptr<condor::GrowingLog>> logs_;
  RunningArguments arguments_;
  Submissions submissions_;
  std::optional<report::RunningResult> result_;
  Clock::time_point forecast_at_, due_;
  bool changed_ = false, news_ = false, over_ = false, passed_ = false;
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

  struct Words {
    std::string out, complaint;
  };
  /// The words of the commands that have ended since the last call.
  std::vector<Words> listen() {
    std::vector<Words> words;
    std::erase_if(running_, [&](Running& each) {
      if (each.child->listen({}, each.out) != Child::Heard::end) return false;
      int const code = each.child->exit_code();
      std::string complaint;
      if (code != 0) {
        std::string const complaints(trim(each.child->complaints()));
        complaint = fmt::format("--run: '{}' ended with {}{}{}\n", each.command, code,
                                complaints.empty() ? "" : ": ", complaints);
      }
      words.push_back({std::move(each.out), std::move(complaint)});
      return true;
    });
    return words;
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
  explicit Watch(WatchOptions const& options) : options_(options) {
    for (fs::path const& log : options.logs) {
      auto watched = std::make_unique<Watched>(log, options.running);
      auto const same = std::ranges::find_if(
          campaigns_, [&](auto const& other) { return watched->is_same_file(*other); });
      if (same == campaigns_.end()) {
        campaigns_.push_back(std::move(watched));
      } else {
        print_notes(log.string() + ": is the same file as " + (*same)->file().string() + "\n");
      }
    }
    // The work is that of one campaign.
    while (!options.work.empty() && campaigns_.size() > 1) join(0, 1);
  }

  int run() {
    InterruptWatch interrupts;
    for (bool first = true;; first = false) {
      bool is_new = false;  // something to show
      for (auto const& campaign : campaigns_) {
        campaign->look();
        for (fs::path const& file : campaign->replaced()) note_replaced(file);
        for (fs::path const& file : campaign->gone()) {
          note(file.string() + ": is no longer there; the watch waits for it\n");
          is_new = true;
        }
      }
      if (has_news()) join_campaigns();
      for (auto const& campaign : campaigns_) {
        if (first && !campaign->result()) note_waiting(*campaign);
        if (!campaign->take_news()) continue;
        is_new = true;
        if (!live_) print_results(clock_text() + " " + line(*campaign) + "\n");
        check_deadline(*campaign);
      }
      listen_to_commands();
      show(is_new);
      bool const over =
          std::ranges::all_of(campaigns_, [](auto const& campaign) { return campaign->is_over(); });
      if (over && commands_.is_empty()) return exit_code::done;
      constexpr timespec pause{0, 500'000'000};  // a new event shows within two seconds
      ::ppoll(nullptr, 0, &pause, &interrupts.wait_mask());
      if (interrupts.requested()) return end_interrupted();
    }
  }

 private:
  bool has_news() const {
    return std::ranges::any_of(campaigns_,
                               [](auto const& campaign) { return campaign->has_news(); });
  }

  bool several() const { return campaigns_.size() > 1; }

  void join(std::size_t campaign, std::size_t with) {
    campaigns_[campaign]->join(std::move(*campaigns_[with]));
    campaigns_.erase(campaigns_.begin() + static_cast<std::ptrdiff_t>(with));
  }

  /// Logs turn out to be of one campaign: copies, a rotated part, the nodes log of a DAG.
  void join_campaigns() {
    for (std::size_t i = 0; i < campaigns_.size(); ++i) {
      for (std::size_t k = i + 1; k < campaigns_.size();) {
        if (!campaigns_[i]->belongs_to(*campaigns_[k])) {
          ++k;
          continue;
        }
        note(campaigns_[k]->file().string() + ": has jobs of " + campaigns_[i]->file().string() +
             "; both are one campaign\n");
        join(i, k);
        campaigns_[i]->look();
        k = i + 1;  // it has other jobs now
      }
    }
  }

  /// A file's name is enough where no other log has it.
  std::string name_of(Watched const& campaign) const {
    fs::path const& file = campaign.file();
    auto const alike = std::ranges::count_if(options_.logs, [&file](fs::path const& other) {
      return other.filename() == file.filename();
    });
    std::string const name = alike > 1 ? file.string() : file.filename().string();
    std::size_t const more = campaign.logs().size() - 1;
    return more > 0 ? fmt::format("{} and {} more", name, more) : name;
  }

  std::string line(Watched const& campaign) const {
    std::string const text =
        campaign.result() ? report::running_line(*campaign.result()) : std::string("no event yet");
    return report::printable(several() ? name_of(campaign) + ": " + text : text, charset());
  }

  /// The block on a terminal, and the page.
  void show(bool is_new) {
    if (live_ && (is_new || !shown_ || block_.is_resized())) redraw();
    if (is_new && !options_.page.empty()) keep_page();
  }

  /// Without a first page the name or the folder is wrong. Later the disk may be full for a while:
  /// the last page stays, and the deadline is still watched.
  void keep_page() {
    try {
      write_page();
      page_ = Page::written;
    } catch (ResourceError const& error) {
      if (page_ == Page::none) throw;
      if (std::exchange(page_, Page::late) == Page::written) {
        note(error.problems().front().to_text() + " The watch continues.\n");
      }
    }
  }

  void redraw() {
    report::Screen shown = screen();
    shown.command = {};  // the answer renews itself
    std::string text = "gridcast watch, " + clock_text() + "\n";
    auto const& first = *campaigns_.front();
    if (several() || !first.result()) {
      for (auto const& campaign : campaigns_) text += line(*campaign) + "\n";
    } else {
      text += report::brief_running(*first.result(), shown);
    }
    block_.draw(text);
    shown_ = true;
  }

  /// Notes and the output of commands stand above the block, which is drawn again below them.
  void note(std::string const& text) {
    make_room();
    print_notes(text);
  }

  void make_room() {
    if (live_) block_.wipe();
    shown_ = false;
  }

  int end_interrupted() {
    if (live_) print_results("\r\x1b[K");  // the terminal's ^C
    return exit_code::interrupted;
  }

  void write_page() const {
    std::string text;
    for (auto const& campaign : campaigns_) {
      for (auto const& log : campaign->logs())
        text += log->file().string() + (log->is_there() ? "\n" : ": is no longer there\n");
      if (campaign->result())
        text += report::running_text(*campaign->result(),
                                     {report::Charset::ascii, report::least_width});
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

  void note_waiting(Watched const& campaign) {
    for (auto const& log : campaign.logs()) {
      note(log->file().string() + ": no event yet; the watch waits for the first one\n");
    }
  }

  void note_replaced(fs::path const& file) {
    note(file.string() + ": it begins anew; its events are added to those before, each once\n");
  }

  /// Once for each campaign.
  void check_deadline(Watched& campaign) {
    if (!campaign.passes_deadline()) return;
    auto const& result = *campaign.result();
    note(fmt::format(
        "{}: the forecast passes the deadline: {} jobs have succeeded by then with {:.0f} % "
        "probability\n",
        campaign.file().string(), result.wanted, 100 * result.met));
    if (!options_.command.empty()) commands_.start(options_.command);
  }

  void listen_to_commands() {
    for (DeadlineCommands::Words const& words : commands_.listen()) {
      make_room();
      print_results(words.out);
      print_notes(words.complaint);
    }
  }

  WatchOptions const& options_;
  bool live_ = LiveBlock::is_possible();
  std::vector<std::unique_ptr<Watched>> campaigns_;
  DeadlineCommands commands_;
  LiveBlock block_;
  bool shown_ = false;  // the block
  enum class Page { none, written, late } page_ = Page::none;
};

int run_watch(WatchOptions options) {
  refuse_other_kinds(options.logs, "watch", "job event logs",
                     {InputKind::record, InputKind::table});
  VerbFiles files(IfThere::replace);
  files.reads(options.logs).reads({options.running.calibration, options.work});
  files.writes(options.page).prepare();
  keep_new_outputs();  // the last page stays when the watch ends with a problem
  if (!options.work.empty()) {
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
  verb.positional(
          "LOG", &options->logs,
          "Job event logs that HTCondor is writing; those with a job in common are of one campaign")
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
  Option const work = verb.option(
      "--work", &options->work,
      "Submit file, DAG or scenario with the jobs to come; the logs are of its campaign", "FILE");
  add_set_option(verb, options->running.overrides,
                 "With --work SCENARIO: another value, such as campaign.submit.0.jobs=50")
      .needs(work);
  verb.option("--calibration", &options->running.calibration,
              "Calibration of an earlier campaign, as a prior", "CAL");
  verb.option("--run", &options->command, "Run this shell command then", "COMMAND").needs(deadline);
  verb.option("--page", &options->page, "Keep a page that refreshes itself", "FILE");
  add_date_options(verb, options->running.record.dates);
  verb.footer(
      "Several campaigns show one line each. It ends when all jobs are over; Ctrl-C ends it with 130.\n"
      "  gridcast watch campaign.log\n"
      "  gridcast watch campaign.log --deadline '3 d' --run 'mail -s late me </dev/null'");
  verb.runs([options] { return run_watch(*options); });
}

}  // namespace gridcast::cli
