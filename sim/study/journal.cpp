#include "sim/study/journal.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <set>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/program.hpp"

namespace gridcast::study {
namespace {

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

/// NT_GNU_BUILD_ID among the notes (elf(5)), in hexadecimal; empty if it is not there.
std::string build_id(std::string_view notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    std::size_t const from = sizeof note + padded(note.n_namesz);
    std::size_t const end = from + padded(note.n_descsz);
    if (end > notes.size()) return "";
    bool const is_gnu = notes.substr(sizeof note).starts_with(std::string_view("GNU\0", 4));
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) {
      auto const id = notes.substr(from, note.n_descsz);
      return fmt::format("{:02x}", fmt::join(std::vector<unsigned char>(id.begin(), id.end()), ""));
    }
    notes.remove_prefix(end);
  }
  return "";
}

bool computes(std::string_view path) {
  std::string_view const name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libsimgrid.") || name.starts_with("libm.") ||
         name.starts_with("libstdc++.");
}

int add_object(dl_phdr_info* object, std::size_t, void* identity) {
  auto& all = *static_cast<std::string*>(identity);
  // The program itself comes first, with or without a name.
  bool const is_program = all.empty();
  if (!is_program && !computes(object->dlpi_name)) return 0;
  std::string id;
  for (std::size_t i = 0; i < object->dlpi_phnum && id.empty(); ++i) {
    auto const& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // The loader reports only the address of the segment.
    auto const* const at = reinterpret_cast<char const*>(object->dlpi_addr + segment.p_vaddr);
    id = build_id({at, segment.p_memsz});
  }
  if (id.empty() && is_program) id = sha256_of_file(program_file());
  all += (all.empty() ? "" : "+") + id;
  return 0;
}

constexpr std::string_view family = "gridcast.journal/";
constexpr std::string_view magic = "gridcast.journal/2 ";
constexpr auto between_syncs = std::chrono::seconds(1);

struct Head {
  std::uint32_t replica = 0;
  std::uint32_t numbers = 0;
  std::uint64_t checksum = 0;
};

/// Reads from the start of the file. False, with errno, if it cannot be read to its end.
bool read_all(int descriptor, std::string& bytes) {
  char piece[1 << 16];
  for (;;) {
    ssize_t const got = ::pread(descriptor, piece, sizeof piece, static_cast<off_t>(bytes.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    bytes.append(piece, static_cast<std::size_t>(got));
  }
}

Problem cannot_write(std::filesystem::path const& file, int error) {
  return {{file.string()},
          fmt::format("cannot be written: {}", std::strerror(error)),
          "the study cannot be resumed beyond its campaigns",
          "Make room, or name another folder."};
}

/// The process that holds the lock; 0: none.
pid_t owner_of(int descriptor) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_SETLK, &lock) == 0) return 0;
  bool const answered = ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  return answered ? lock.l_pid : -1;
}

}  // namespace

std::string build_identity() {
  std::string identity;
  ::dl_iterate_phdr(add_object, &identity);
  return identity;
}

Journal::Journal(std::filesystem::path file, std::string const& fingerprint, Possible possible)
    : file_(std::move(file)), fingerprint_(fingerprint), possible_(std::move(possible)) {
  open();
  try {
    read_or_begin();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  sync();
  ::close(descriptor_);
}

// The process owns the lock: children do not inherit it, and it ends with the process.
void Journal::open() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0 && (errno == EACCES || errno == EISDIR || errno == EROFS)) {
    throw InputError(cannot_write(file_, errno));
  }
  if (descriptor_ < 0) throw ResourceError(cannot_write(file_, errno));
  note_input_file(file_);
  pid_t const owner = owner_of(descriptor_);
  if (owner == 0) return;
  ::close(descriptor_);
  refuse({file_.string()},
         owner > 0 ? fmt::format("is in use by process {}", owner) : "is in use by another process",
         "one study at a time can keep its campaigns there",
         "Wait for it to end, or name another folder.");
}

void Journal::read_or_begin() {
  std::string const first = std::string(magic) + fingerprint_ + "\n";
  std::string bytes;
  if (!read_all(descriptor_, bytes)) throw ResourceError(cannot_write(file_, errno));
  if (bytes.starts_with(first)) {
    whole_ = read_entries(bytes, first.size());
  } else if (bytes.starts_with(family)) {
    refuse({file_.string()}, "is the journal of another study",
           "scenario, pool, calibration, strategies, seed, or the build of "
           "gridcast or of a library that it computes with differ",
           "Name another folder, or remove the file to begin anew.");
  } else if (!bytes.empty() && !std::string_view(first).starts_with(bytes)) {
    throw InputError(
        Problem{{file_.string()}, "is no journal of a study", "", "Name another folder."});
  }
  bool fine = ::ftruncate(descriptor_, static_cast<off_t>(whole_)) == 0 &&
              ::lseek(descriptor_, 0, SEEK_END) >= 0;
  if (fine && whole_ == 0) {
    fine = write_all(descriptor_, first);
    whole_ = first.size();
  }
  if (!fine) throw ResourceError(cannot_write(file_, errno));
}

// The checksum depends on the fingerprint: an entry of another journal does not match.
std::uint64_t Journal::checksum(std::uint32_t replica, std::string_view numbers) const {
  std::string const digest = sha256(
      fmt::format("{} {} {} ", fingerprint_, replica, numbers.size()) + std::string(numbers));
  std::uint64_t value = 0;
  std::from_chars(digest.data(), digest.data() + 2 * sizeof(value), value, 16);
  return value;
}

std::size_t Journal::read_entries(std::string const& bytes, std::size_t from) {
  std::set<std::uint32_t> seen;
  while (bytes.size() - from >= sizeof(Head)) {
    Head head;
    std::memcpy(&head, bytes.data() + from, sizeof(Head));
    std::size_t const length = std::size_t{head.numbers} * sizeof(double);
    if (bytes.size() - from - sizeof(Head) < length) break;
    std::string_view const numbers(bytes.data() + from + sizeof(Head), length);
    if (checksum(head.replica, numbers) != head.checksum) break;
    Record record = record_of_bytes(numbers);
    bool const is_possible = !possible_ || possible_(record);
    if (is_possible && seen.insert(head.replica).second) {
      records_.emplace_back(head.replica, std::move(record));
    }
    from += sizeof(Head) + length;
  }
  return from;
}

void Journal::add(std::uint32_t replica, Record const& record) {
  if (problem_) return;
  std::string const numbers = bytes_of_record(record);
  Head const head = {replica, static_cast<std::uint32_t>(record.size()),
                     checksum(replica, numbers)};
  std::string const entry =
      std::string(reinterpret_cast<char const*>(&head), sizeof(Head)) + numbers;
  if (!write_all(descriptor_, entry)) return end(errno);
  whole_ += entry.size();
  is_synced_ = false;
  if (Clock::now() - synced_ >= between_syncs) sync();
}

void Journal::sync() {
  synced_ = Clock::now();
  // A file that is not on a disk (EINVAL) has nothing to lose.
  bool const is_due = !is_synced_ && !problem_;
  is_synced_ = true;
  if (is_due && ::fdatasync(descriptor_) != 0 && errno != EINVAL) end(errno);
}

void Journal::end(int error) {
  problem_ = cannot_write(file_, error);
  // Removes the half of an entry, which the next study would drop anyway.
  if (::ftruncate(descriptor_, static_cast<off_t>(whole_)) != 0) return;
}

}  // namespace gridcast::study
