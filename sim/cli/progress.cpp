#include "sim/cli/progress.hpp"

#include <fmt/format.h>

#include "sim/base/tell.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::cli {
namespace {

constexpr auto between_rewrites = std::chrono::milliseconds(100);
constexpr char to_line_start[] = "\r\x1b[K";

/// ", 310/s, 2 s left", as soon as there is something to tell it by.
std::string pace(std::size_t done, std::size_t total, double elapsed_s) {
  if (done == 0 || !(elapsed_s > 0)) return "";
  double const rate = static_cast<double>(done) / elapsed_s;
  double const left = static_cast<double>(total - done) / rate;
  return fmt::format(", {}/s, {} left",
                     rate < 1000 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate),
                     to_text(Seconds(left)));
}

}  // namespace

std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s) {
  std::string line = fmt::format("{} of {} runs", done, total) + pace(done, total, elapsed_s);
  if (failed > 0) line += fmt::format(", {} failed", failed);
  return line;
}

std::string campaign_line(Seconds at, std::size_t done, std::size_t total, double elapsed_s) {
  auto const date =
      condor::usual_log_start + std::chrono::seconds(static_cast<std::int64_t>(at.value()));
  auto const day = std::chrono::floor<std::chrono::days>(date);
  std::chrono::year_month_day const ymd(day);
  std::chrono::hh_mm_ss const time(date - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}, {} of {} jobs done{}",
                     static_cast<int>(ymd.year()), static_cast<unsigned>(ymd.month()),
                     static_cast<unsigned>(ymd.day()), time.hours().count(), time.minutes().count(),
                     done, total, pace(done, total, elapsed_s));
}

ProgressReport::ProgressReport(bool verbose, bool quiet)
    : terminal_(stderr_is_terminal() && !quiet), verbose_(verbose) {}

ProgressReport::~ProgressReport() {
  if (terminal_ && shown_ != Clock::time_point()) tell_terminal(to_line_start);
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
  tell_terminal((terminal_ ? to_line_start : "") + line + (terminal_ ? "" : "\n"));
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

}  // namespace gridcast::cli
