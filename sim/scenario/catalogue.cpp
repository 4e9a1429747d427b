#include "sim/scenario/catalogue.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/profile_reader.hpp"
#include "sim/scenario/shipped_file.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

fs::path catalogue_folder() {
  if (auto const found = shipped_file(fs::path("scenarios") / "profiles")) return *found;
  throw InputError(Problem{{},
                           "the catalogue of profiles is not found",
                           "scenarios/profiles is neither here nor where the program is",
                           ""});
}

}  // namespace

std::vector<std::string> catalogue_names() { return profile_names(catalogue_folder()); }

CatalogueWork find_catalogue_work(std::string const& name, fs::path const& folder) {
  fs::path const catalogue = catalogue_folder();
  fs::path const own = folder / name;
  fs::path const file =
      is_profile_file(name) ? own.lexically_normal() : catalogue / (name + ".yaml");
  if (!is_profile_file(name) && !fs::exists(file)) {
    throw InputError(Problem{{},
                             fmt::format("unknown profile '{}'", name),
                             "",
                             suggestion(name, profile_names(catalogue))});
  }
  fs::path const hardware = catalogue / "hardware.yaml";
  std::string const text = read_text_file(file);
  return {read_profile_text(file, text), read_hardware(hardware),
          sha256(sha256(text) + sha256(read_text_file(hardware)))};
}

GpuModel const* gpu_of_site(Hardware const& hardware, SiteSpec const& site) {
  GpuModel const* best = nullptr;
  auto const off = [&site](GpuModel const& gpu) {
    return std::abs(std::log(gpu.memory / std::max(site.gpu_memory, Bytes(1))));
  };
  for (GpuModel const& gpu : hardware.gpus) {
    if (gpu.name == site.gpu) return &gpu;
    bool const begins = !site.gpu.empty() && is_first_word(site.gpu, gpu.name);
    if (begins && (!best || off(gpu) < off(*best))) best = &gpu;
  }
  return best;
}

}  // namespace gridcast::scenario
