#include "sim/study/build_identity.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <string_view>

#include <fmt/format.h>

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
      std::string id;
      for (char const byte : notes.substr(from, note.n_descsz)) {
        id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      }
      return id;
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
    // Where the loader has put the segment: an address is all that it tells.
    auto const* const at = reinterpret_cast<char const*>(object->dlpi_addr + segment.p_vaddr);
    id = build_id({at, segment.p_memsz});
  }
  if (id.empty() && is_program) {
    std::ifstream in(program_file(), std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    id = sha256(bytes);
  }
  all += (all.empty() ? "" : "+") + id;
  return 0;
}

}  // namespace

std::string build_identity() {
  std::string identity;
  ::dl_iterate_phdr(add_object, &identity);
  return identity;
}

std::string arithmetic_identity() {
  constexpr int points = 256;
  using Function = double (*)(double);
  constexpr Function functions[] = {std::exp, std::log, std::sin, std::cos, std::tan, std::log1p};
  std::string bits;
  auto const add = [&bits](double value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bits.append(bytes, sizeof bytes);
  };
  for (int i = 1; i <= points; ++i) {
    // Not to be known to the compiler, which would compute it by itself.
    double volatile const x = i * 0.137;
    for (Function const function : functions) add(function(x));
    add(std::pow(x, 1.1));
    add(std::tgamma(x / 10));
  }
  constexpr std::size_t enough = 16;
  return sha256(bits).substr(0, enough);
}

}  // namespace gridcast::study
