#include "sim/cli/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/chrono.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

pid_t interrupted_process = 0;

constexpr std::size_t usual_width = 80;

std::size_t width() {
  char const* const stated = std::getenv("COLUMNS");
  auto const columns = text_as<std::size_t>(stated ? stated : "");
  if (columns && *columns > 0) return *columns;
  winsize size = {};
  bool const known = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return known && size.ws_col > 0 ? size.ws_col : usual_width;
}

constexpr auto between_rewrites = std::chrono::milliseconds(100);
constexpr char to_line_start[] = "\r\x1b[K";

/// ", 310/s, 2 s left"; empty before the first run is done.
std::string pace(std::size_t done, std::size_t total, double elapsed_s) {
  if (done == 0 || !(elapsed_s > 0)) return "";
  double const rate = static_cast<double>(done) / elapsed_s;
  double const left = static_cast<double>(total - done) / rate;
  return fmt::format(", {}/s, {} left",
                     rate < 1000 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate),
                     to_text(Seconds(left)));
}

// ECMA-48: CUU, ED, EL.
constexpr char to_screen_end[] = "\x1b[J", to_line_end[] = "\x1b[K";

/// "2024-09-02 13:20, 412000 of 1000000 jobs done, 131000/s, 4.5 s left": `at` in the campaign's
/// time, as a date of its event log.
std::string campaign_line(Seconds at, std::size_t done, std::size_t total, double elapsed_s) {
  auto const date =
      condor::usual_log_start + std::chrono::seconds(static_cast<std::int64_t>(at.value()));
  return fmt::format("{:%F %R}, {} of {} jobs done{}",
                     fmt::gmtime(std::time_t{date.time_since_epoch().count()}), done, total,
                     pace(done, total, elapsed_s));
}

}  // namespace

report::Charset charset() {
  for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string const name = lower(std::string_view(value));
    bool const utf8 =
        name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
    return utf8 ? report::Charset::utf8 : report::Charset::ascii;
  }
  return report::Charset::ascii;
}

void print_results(std::string_view text) {
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  std::cout << text;
  std::cout.flush();
  std::signal(SIGPIPE, before);
}

void keep_standard_descriptors() {
  // open() takes the lowest free number: that of the closed descriptor.
  for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    bool const is_closed = ::fcntl(standard, F_GETFD) < 0 && errno == EBADF;
    if (!is_closed) continue;
    int const stand_in = ::open("/dev/null", standard == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (stand_in >= 0 && stand_in != standard) ::close(stand_in);
  }
}

bool reader_has_gone() {
  pollfd out = {STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

extern "C" void end_as_interrupted(int signal) {
  if (getpid() != interrupted_process) {
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  unlink_new_outputs();
  // The terminal has shown ^C in this line.
  constexpr char message[] = "\ngridcast: interrupted; nothing was written\n";
  bool const terminal = isatty(STDERR_FILENO) == 1;
  [[maybe_unused]] auto const written =
      write(STDERR_FILENO, message + (terminal ? 0 : 1), sizeof message - (terminal ? 1 : 2));
  _exit(exit_code::interrupted);
}

void end_at_ctrl_c() {
  interrupted_process = getpid();
  struct sigaction action = {};
  sigaction(SIGINT, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = end_as_interrupted;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool ends_at_ctrl_c(void (*handler)(int)) { return handler == end_as_interrupted; }

HeldSignals::HeldSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

report::Screen screen() {
  static std::string const command = with_room_for_options(own_words());
  return {charset(), std::clamp(width(), report::least_width, report::most_width), command};
}

std::string next_line(std::string const& words, fs::path const& file) {
  auto const own = own_words();
  std::string const first =
      fmt::format("Next: {} {} ", own.empty() ? "gridcast" : shell_word(own.front()), words);
  std::string const last = study::typed(file);
  bool const fits = report::text_width(first + last) <= screen().width;
  return first + (fits ? "" : "\\\n  ") + last + "\n";
}

void print_notes(std::string_view lines) { print_message(report::fitted(lines, screen())); }

std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s) {
  std::string line = fmt::format("{} of {} runs", done, total) + pace(done, total, elapsed_s);
  if (failed > 0) line += fmt::format(", {} failed", failed);
  return line;
}

ProgressReport::ProgressReport(bool verbose, bool quiet)
    : terminal_(stderr_is_terminal() && !quiet), verbose_(verbose) {}

ProgressReport::~ProgressReport() {
  if (terminal_ && shown_ != Clock::time_point()) print_raw_message(to_line_start);
}

double ProgressReport::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

bool ProgressReport::due(std::size_t done, std::size_t total) {
  if (terminal_) {
    auto const now = Clock::now();
    if (now - shown_ < between_rewrites) return false;
    shown_ = now;
    return true;
  }
  std::size_t const tenths = 10 * done / total;
  if (!verbose_ || tenths == tenths_) return false;
  tenths_ = tenths;
  return true;
}

void ProgressReport::show(std::string const& line) {
  print_raw_message((terminal_ ? to_line_start : "") + line + (terminal_ ? "" : "\n"));
}

study::Progress ProgressReport::callback() {
  return [this](std::size_t done, std::size_t failed, std::size_t total) {
    if (due(done, total)) show(progress_line(done, failed, total, elapsed()));
  };
}

void ProgressReport::campaign(Seconds at, std::size_t done, std::size_t total) {
  constexpr double quiet_s = 1;
  double const elapsed_s = elapsed();
  if (elapsed_s > quiet_s && due(done, total)) show(campaign_line(at, done, total, elapsed_s));
}

bool LiveBlock::is_possible() {
  char const* const term = std::getenv("TERM");
  bool const moves = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return moves && isatty(STDOUT_FILENO) == 1;
}

LiveBlock::Window LiveBlock::window() {
  winsize size = {};
  bool const known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? Window{size.ws_col, std::max<std::size_t>(size.ws_row, 2)} : Window{80, 24};
}

bool LiveBlock::is_resized() const { return !widths_.empty() && window() != window_; }

/// A terminal wraps the lines again when its window gets narrower.
std::string LiveBlock::to_first_line(Window const& window) const {
  auto rows = sum_of<std::size_t>(widths_, [&](std::size_t const width) {
    return std::max<std::size_t>(1, (width + window.columns - 1) / window.columns);
  });
  rows = std::min(rows, window.rows - 1);
  return rows > 0 ? fmt::format("\r\x1b[{}A", rows) : "\r";
}

void LiveBlock::draw(std::string_view text) {
  Window const now = window();
  std::string drawing = to_first_line(now);
  widths_.clear();
  while (!text.empty() && widths_.size() + 1 < now.rows) {
    std::string_view const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::size_t const bytes = line.empty() ? 0 : report::bytes_within(line, now.columns);
    std::size_t const width = report::text_width(line.substr(0, bytes));
    widths_.push_back(width);
    // Behind a line of the window's full width the cursor still stands on its last character.
    drawing.append(line.substr(0, bytes)).append(width < now.columns ? to_line_end : "");
    drawing += '\n';
  }
  print_results(drawing + to_screen_end);
  window_ = now;
}

void LiveBlock::wipe() {
  print_results(to_first_line(window()) + to_screen_end);
  widths_.clear();
}

}  // namespace gridcast::cli
