#include "sim/condor/log/growing_log.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/files.hpp"
#include "sim/base/log_input.hpp"
#include "sim/condor/log/event_reader.hpp"

namespace gridcast::condor {
namespace {

constexpr std::string_view event_end = "\n...\n";
/// Bytes of a first line that show whether the file is a log.
constexpr std::size_t least_recognised = 100;

struct stat status_of(int descriptor) {
  struct stat status {};
  ::fstat(descriptor, &status);
  return status;
}

double seconds_since(struct timespec const& time) {
  using namespace std::chrono;
  double const now = duration<double>(system_clock::now().time_since_epoch()).count();
  return now - static_cast<double>(time.tv_sec) - 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

GrowingLog::GrowingLog(std::filesystem::path file) : file_(std::move(file)) {
  std::string const name = file_.string();
  struct stat named {};
  if (::stat(file_.c_str(), &named) != 0) {
    if (errno == ENOENT) throw InputError(missing_file(file_));
    refuse({name}, "cannot be read", std::strerror(errno));
  }
  if (S_ISDIR(named.st_mode)) refuse({name}, "is a folder", "", "Name a log in it.");
  if (!S_ISREG(named.st_mode)) {
    refuse({name}, "is no ordinary file", "a growing log is one",
           "Write it to a file, and watch that; or forecast it once: gridcast forecast --running.");
  }
  if (!open_new()) refuse({name}, "cannot be read", std::strerror(errno));
}

GrowingLog::~GrowingLog() { close(); }

void GrowingLog::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

bool GrowingLog::open_new() {
  int const opened = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
  close();
  descriptor_ = opened;
  auto const status = status_of(opened);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  start_over();
  return true;
}

void GrowingLog::start_over() {
  offset_ = 0;
  recognised_ = false;
  for (std::string* part : {&first_, &last_, &tail_}) part->clear();
}

bool GrowingLog::read_more() {
  bool news = drain();
  struct stat named {};
  bool const there = ::stat(file_.c_str(), &named) == 0;
  bool const rotated = there && (named.st_dev != device_ || named.st_ino != inode_);
  if (rotated && open_new()) {
    replaced_ = true;
    news = drain() || news;
  }
  return news;
}

bool GrowingLog::is_rewritten() const {
  auto const holds = [this](std::string const& bytes, std::size_t at) {
    std::string now(bytes.size(), '\0');
    auto const size = ::pread(descriptor_, now.data(), now.size(), static_cast<off_t>(at));
    return size < 0 || now == bytes;
  };
  bool const shorter = static_cast<std::size_t>(status_of(descriptor_).st_size) < offset_;
  return shorter || !holds(first_, 0) || !holds(last_, offset_ - last_.size());
}

void GrowingLog::remember(std::string_view bytes) {
  constexpr std::size_t most = 4096;
  if (first_.size() < most) first_.append(bytes.substr(0, most - first_.size()));
  last_.append(bytes);
  if (last_.size() > most) last_.erase(0, last_.size() - most);
}

bool GrowingLog::drain() {
  if (is_rewritten()) {
    start_over();
    replaced_ = true;
  }
  std::array<char, 1 << 16> block;
  bool news = false;
  for (;;) {
    ssize_t const size =
        ::pread(descriptor_, block.data(), block.size(), static_cast<off_t>(offset_));
    if (size <= 0) return news;
    std::string_view const bytes(block.data(), static_cast<std::size_t>(size));
    if (!recognised_ && !recognise(bytes)) return news;
    offset_ += bytes.size();
    bytes_read_ += bytes.size();
    remember(bytes);
    append_lines(bytes);
    news = take_events() || news;
  }
}

/// False for a part of a line that shows nothing yet.
bool GrowingLog::recognise(std::string_view bytes) {
  bool const a_part_of_a_line =
      bytes.size() < least_recognised && bytes.find('\n') == std::string_view::npos;
  if (a_part_of_a_line) return false;
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd")) {  // gzip, zstd
    refuse({file_.string()}, "is compressed", "a growing log is not",
           "Forecast it once: gridcast forecast --running " + file_.string());
  }
  LogForm const form = recognise_form(bytes);
  if (form == LogForm::none) {
    refuse({file_.string()}, "is no job event log",
           "HTCondor writes the log that a submit file names (log = ...)",
           "Name that one; 'gridcast ledger " + file_.string() + "' reads other records.");
  }
  bool const in_events = form == LogForm::text || form == LogForm::empty;
  if (!in_events || !in_events_) {
    text_.clear();
    known_.clear();
  }
  in_events_ = in_events;
  recognised_ = form != LogForm::empty;
  return true;
}

/// With the ends of lines that HTCondor writes; a copy from Windows has others.
void GrowingLog::append_lines(std::string_view bytes) {
  tail_.reserve(tail_.size() + bytes.size());
  for (char const c : bytes) {
    if (c == '\n' && tail_.ends_with('\r')) tail_.pop_back();
    tail_ += c;
  }
}

bool GrowingLog::take_events() {
  if (!in_events_) {
    text_ += tail_;
    tail_.clear();
    return true;
  }
  bool news = false;
  std::size_t begin = 0;
  for (;;) {
    std::size_t const at = tail_.find(event_end, begin);
    if (at == std::string::npos) break;
    std::string_view const event =
        std::string_view(tail_).substr(begin, at + event_end.size() - begin);
    begin += event.size();
    if (!known_.insert(std::hash<std::string_view>()(event)).second) continue;
    text_ += event;
    news = true;
  }
  tail_.erase(0, begin);
  return news;
}

double GrowingLog::silent_s() const {
  return std::max(0.0, seconds_since(status_of(descriptor_).st_mtim));
}

LoggedHistory history_of(std::vector<GrowingLog const*> const& logs,
                         ReadLogOptions const& options) {
  std::vector<LogText> texts;
  double silent_s = std::numeric_limits<double>::max();
  for (GrowingLog const* log : logs) {
    texts.push_back({log->file(), log->text()});
    silent_s = std::min(silent_s, log->silent_s());
  }
  LoggedHistory done = read_texts(texts, options);
  done.history.seen_until = done.history.end() + Seconds(silent_s);
  return done;
}

}  // namespace gridcast::condor
