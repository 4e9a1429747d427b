#include "sim/cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/cli/terminal.hpp"

namespace gridcast {
namespace {

constexpr auto between_rewrites = std::chrono::milliseconds(100);
constexpr char to_line_start[] = "\r\x1b[K";

}  // namespace

std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s) {
  std::string line = fmt::format("{} of {} runs", done, total);
  if (done > 0 && elapsed_s > 0) {
    double const rate = static_cast<double>(done) / elapsed_s;
    double const left = static_cast<double>(total - done) / rate;
    line += fmt::format(", {:.3g}/s, {} left", rate, to_text(Seconds(left)));
  }
  if (failed > 0) line += fmt::format(", {} failed", failed);
  return line;
}

ProgressReport::ProgressReport(bool verbose, bool quiet)
    : terminal_(stderr_is_terminal() && !quiet), verbose_(verbose) {}

ProgressReport::~ProgressReport() {
  if (terminal_ && shown_ != Clock::time_point()) std::fputs(to_line_start, stderr);
}

double ProgressReport::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void ProgressReport::rewrite(std::size_t done, std::size_t failed, std::size_t total) {
  auto const now = Clock::now();
  if (now - shown_ < between_rewrites) return;
  shown_ = now;
  fmt::print(stderr, "{}{}", to_line_start, progress_line(done, failed, total, elapsed()));
  std::fflush(stderr);
}

void ProgressReport::append(std::size_t done, std::size_t failed, std::size_t total) {
  std::size_t const tenths = 10 * done / total;
  if (tenths == tenths_) return;
  tenths_ = tenths;
  fmt::print(stderr, "{}\n", progress_line(done, failed, total, elapsed()));
}

Progress ProgressReport::callback() {
  return [this](std::size_t done, std::size_t failed, std::size_t total) {
    if (terminal_) {
      rewrite(done, failed, total);
    } else if (verbose_) {
      append(done, failed, total);
    }
  };
}

}  // namespace gridcast
