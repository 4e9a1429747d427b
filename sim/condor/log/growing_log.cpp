#include "sim/condor/log/growing_log.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/files.hpp"
#include "sim/base/log_input.hpp"
#include "sim/condor/log/event_reader.hpp"

namespace gridcast::condor {
namespace {

/// Bytes that a first event in JSON or XML, or the rest of an event, rarely exceeds.
constexpr std::size_t least_recognised = 100, longest_event = 4096;

/// The line that ends an event. None in JSON that is not laid out as HTCondor's.
std::string_view end_of_events(LogForm form, std::string_view beginning) {
  if (form == LogForm::xml) return "</c>\n";
  if (form != LogForm::json) return "\n...\n";
  return beginning.starts_with("{\n") ? "\n}\n" : "";
}

struct stat status_of(int descriptor) {
  struct stat status {};
  ::fstat(descriptor, &status);
  return status;
}

std::int64_t written_ns(struct stat const& status) {
  constexpr std::int64_t second = 1'000'000'000;
  return status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
}

/// The ending of a rotated log: of HTCondor (EVENT_LOG_MAX_ROTATIONS) ".old", or ".1" and on, of
/// logrotate a date too.
bool is_rotation(std::string_view ending) {
  if (ending == ".old") return true;
  return ending.size() > 1 && (ending.front() == '.' || ending.front() == '-') &&
         ending.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

struct Rotated {
  std::int64_t written_ns = 0;
  std::filesystem::path file;
  auto operator<=>(Rotated const&) const = default;
};

/// Other files that the log was rotated to at that time or later, the oldest first.
std::vector<Rotated> rotated_since(std::filesystem::path const& log, std::int64_t since_ns,
                                   std::uint64_t inode) {
  namespace fs = std::filesystem;
  std::vector<Rotated> found;
  std::string const name = log.filename().string();
  std::error_code ignored;
  auto const folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
  for (fs::directory_iterator each(folder, ignored), end; !ignored && each != end;
       each.increment(ignored)) {
    std::string const other = each->path().filename().string();
    if (!other.starts_with(name) || !is_rotation(std::string_view(other).substr(name.size()))) {
      continue;
    }
    struct stat status {};
    bool const is_file = ::stat(each->path().c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file || status.st_ino == inode || written_ns(status) < since_ns) continue;
    found.push_back({written_ns(status), each->path()});
  }
  std::ranges::sort(found);
  return found;
}

/// With the ends of lines that HTCondor writes; a copy from Windows has others.
void append_lines(std::string& tail, std::string_view bytes) {
  tail.reserve(tail.size() + bytes.size());
  for (char const c : bytes) {
    if (c == '\n' && tail.ends_with('\r')) tail.pop_back();
    tail += c;
  }
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

GrowingLog::~GrowingLog() {
  keep({});
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingLog::keep(Old old) {
  if (old_.descriptor >= 0) ::close(old_.descriptor);
  old_ = std::move(old);
}

bool GrowingLog::open_new() {
  int const opened = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
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
  for (std::string* part : {&first_, &last_}) part->clear();
}

bool GrowingLog::read_more() {
  bool news = read_old();
  news = drain() || news;
  struct stat named {};
  bool const there = ::stat(file_.c_str(), &named) == 0 && S_ISREG(named.st_mode);
  looks_without_file_ = there ? 0 : looks_without_file_ + 1;
  gone_ = gone_ || looks_without_file_ == patience;
  bool const rotated = there && (named.st_dev != device_ || named.st_ino != inode_);
  if (!rotated) return news;
  Old old{descriptor_, offset_, tail_};
  news = read_rotated() || news;
  if (open_new()) {
    keep(std::move(old));
    replaced_ = true;
    news = drain() || news;
  }
  return news;
}

/// Reads the files that the log had before its present one, and that nobody has looked at.
bool GrowingLog::read_rotated() {
  bool news = false;
  for (Rotated const& part : rotated_since(file_, written_ns_, inode_)) {
    int const descriptor = ::open(part.file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (!holds_part_read(descriptor)) start_over();  // else it is a copy, which is read on
    try {
      news = read_on(descriptor) || news;
    } catch (InputError const&) {
      // Another kind of file with such a name.
    }
    ::close(descriptor);
  }
  return news;
}

bool GrowingLog::holds_part_read(int descriptor) const {
  auto const holds = [descriptor](std::string const& bytes, std::size_t at) {
    std::string now(bytes.size(), '\0');
    auto const size = ::pread(descriptor, now.data(), now.size(), static_cast<off_t>(at));
    return size < 0 || now == bytes;
  };
  bool const shorter = static_cast<std::size_t>(status_of(descriptor).st_size) < offset_;
  return !shorter && holds(first_, 0) && holds(last_, offset_ - last_.size());
}

void GrowingLog::remember(std::string_view bytes) {
  constexpr std::size_t most = 4096;
  if (first_.size() < most) first_.append(bytes.substr(0, most - first_.size()));
  last_.append(bytes);
  if (last_.size() > most) last_.erase(0, last_.size() - most);
}

bool GrowingLog::drain() {
  bool news = false;
  if (!holds_part_read(descriptor_)) {
    news = read_rotated();
    start_over();
    replaced_ = true;
  }
  written_ns_ = written_ns(status_of(descriptor_));
  return read_on(descriptor_) || news;
}

/// The bytes behind the offset, as long as `take` takes them.
bool GrowingLog::read_blocks(int descriptor, std::size_t& offset, std::string& tail,
                             std::function<bool(std::string_view)> const& take) {
  std::array<char, 1 << 16> block;
  for (bool news = false;;) {
    ssize_t const size =
        ::pread(descriptor, block.data(), block.size(), static_cast<off_t>(offset));
    std::string_view const bytes(block.data(),
                                 static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (bytes.empty() || !take(bytes)) return news;
    offset += bytes.size();
    bytes_read_ += bytes.size();
    append_lines(tail, bytes);
    news = take_events(tail) || news;
  }
}

bool GrowingLog::read_old() {
  if (old_.descriptor < 0 || event_end_.empty()) return false;
  return read_blocks(old_.descriptor, old_.offset, old_.tail,
                     [](std::string_view) { return true; });
}

/// From the end of the part that was read to that of the file.
bool GrowingLog::read_on(int descriptor) {
  return read_blocks(descriptor, offset_, tail_, [this](std::string_view bytes) {
    if (!recognised_ && !recognise(bytes)) return false;
    remember(bytes);
    return true;
  });
}

/// False for a part that shows nothing yet.
bool GrowingLog::recognise(std::string_view bytes) {
  bool const has_line = bytes.find('\n') != std::string_view::npos;
  if (bytes.size() < least_recognised && !has_line) return false;
  LogForm form = recognise_form(bytes);
  // A copy that was truncated within an event has the rest of it in the next file.
  bool const has_end = bytes.find("...\n") != std::string_view::npos;
  if (form == LogForm::none && !text_.empty() && has_end) form = LogForm::text;
  bool const within = !tail_.empty() || bytes.front() == '{' || bytes.front() == '<';
  if (form == LogForm::none && within && bytes.size() < longest_event) return false;
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd")) {  // gzip, zstd
    refuse({file_.string()}, "is compressed", "a growing log is not",
           "Forecast it once: gridcast forecast --running " + file_.string());
  }
  if (form == LogForm::none) {
    refuse({file_.string()}, "is no job event log",
           "HTCondor writes the log that a submit file names (log = ...)",
           "Name that one; 'gridcast ledger " + file_.string() + "' reads other records.");
  }
  std::string_view const end = end_of_events(form, bytes);
  if (end != event_end_ || end.empty()) {
    for (std::string* part : {&text_, &tail_}) part->clear();
    known_.clear();
    keep({});
  }
  event_end_ = end;
  if (form != LogForm::text || begins_event(bytes)) tail_.clear();
  recognised_ = form != LogForm::empty;
  return true;
}

bool GrowingLog::take_events(std::string& tail) {
  if (event_end_.empty()) {
    text_ += tail;
    tail.clear();
    return true;
  }
  bool news = false;
  std::size_t begin = 0;
  for (;;) {
    std::size_t const at = tail.find(event_end_, begin);
    if (at == std::string::npos) break;
    std::string_view const event =
        std::string_view(tail).substr(begin, at + event_end_.size() - begin);
    begin += event.size();
    if (!known_.insert(std::hash<std::string_view>()(event)).second) continue;
    text_ += event;
    news = true;
  }
  tail.erase(0, begin);
  return news;
}

double GrowingLog::silent_s() const {
  double silent = seconds_since(status_of(descriptor_).st_mtim);
  if (old_.descriptor >= 0) {
    silent = std::min(silent, seconds_since(status_of(old_.descriptor).st_mtim));
  }
  return std::max(0.0, silent);
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
