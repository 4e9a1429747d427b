#include "sim/study/journal.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::study {
namespace {

constexpr std::string_view magic = "gridcast.journal/1 ";

struct Head {
  std::uint32_t replica = 0;
  std::uint32_t numbers = 0;
  std::uint32_t checksum = 0;
};

// FNV-1a (Fowler, Noll, Vo) of an entry: enough to tell a whole one from one that was cut off.
std::uint32_t checksum(std::uint32_t replica, std::string_view bytes) {
  std::uint32_t hash = 2166136261u;
  auto const mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 16777619u; };
  for (int shift = 0; shift < 32; shift += 8) mix(static_cast<unsigned char>(replica >> shift));
  for (char const byte : bytes) mix(static_cast<unsigned char>(byte));
  return hash;
}

std::string bytes_of(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Problem cannot_write(std::filesystem::path const& file, int why) {
  return {{file.string()},
          fmt::format("cannot be written: {}", std::strerror(why)),
          "the study cannot be resumed without its journal",
          "Make room, or name another folder."};
}

void write_all(int descriptor, std::string_view bytes, std::filesystem::path const& file) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw InputError(cannot_write(file, errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Journal::Journal(std::filesystem::path file, std::string const& fingerprint)
    : file_(std::move(file)) {
  std::string const first = std::string(magic) + fingerprint + "\n";
  std::string const bytes = bytes_of(file_);
  std::size_t whole = 0;
  if (bytes.starts_with(first)) {
    whole = read_entries(bytes, first.size());
  } else if (bytes.starts_with(magic)) {
    throw InputError(Problem{{file_.string()},
                             "is the journal of another study",
                             "scenario, pool, calibration, strategies, seed or program differ",
                             "Name another folder, or remove the file to begin anew."});
  } else if (!bytes.empty() && !std::string_view(first).starts_with(bytes)) {
    throw InputError(
        Problem{{file_.string()}, "is no journal of a study", "", "Name another folder."});
  }
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw InputError(cannot_write(file_, errno));
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) < 0) {
    throw InputError(cannot_write(file_, errno));
  }
  if (whole == 0) write_all(descriptor_, first, file_);
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
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
    Record record(head.numbers);
    if (length > 0) std::memcpy(record.data(), numbers.data(), length);
    if (seen.insert(head.replica).second) records_.emplace_back(head.replica, std::move(record));
    from += sizeof(Head) + length;
  }
  return from;
}

void Journal::add(std::uint32_t replica, Record const& record) {
  std::size_t const length = record.size() * sizeof(double);
  std::string entry(sizeof(Head) + length, '\0');
  if (length > 0) std::memcpy(&entry[sizeof(Head)], record.data(), length);
  Head const head = {replica, static_cast<std::uint32_t>(record.size()),
                     checksum(replica, std::string_view(entry).substr(sizeof(Head)))};
  std::memcpy(entry.data(), &head, sizeof(Head));
  write_all(descriptor_, entry, file_);
}

}  // namespace gridcast::study
