// The catalogue that comes with the program (scenarios/profiles): workloads, by name or by their
// path if that ends in .yaml, and the hardware that they refer to, GPUs, stores and machines
// (hardware.yaml), each value with its source.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/hardware.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::scenario {

/// A workload, and the hardware that it may run on.
struct CatalogueWork {
  Profile profile;
  Hardware hardware;
  std::string sha256;  // of the profile's text and the hardware's
};

/// Paths are taken from `folder`, that of the scenario. InputError with the nearest name.
CatalogueWork find_catalogue_work(std::string const& name, std::filesystem::path const& folder);

/// Names of the shipped profiles; empty where there is no catalogue.
std::vector<std::string> catalogue_names();

/// The catalogue's GPU that a site's `gpu` means: that of the same name, else the one whose name
/// begins with it and whose memory is nearest (a pool's "V100" with 16 GB is V100-16GB). Null if
/// there is none.
GpuModel const* gpu_of_site(Hardware const& hardware, SiteSpec const& site);

/// The catalogue's GPU of that name, or the one that a device's name means, with the memory in the
/// name ("Tesla V100-SXM2-32GB" is V100-32GB). Null if there is none.
GpuModel const* gpu_of_name(Hardware const& hardware, std::string const& name);

/// A file or folder of the checkout, as "scenarios/profiles": from here or the program's own folder
/// upwards, or below ../share/gridcast (an installation).
std::optional<std::filesystem::path> shipped_file(std::filesystem::path const& name);
/// True if the file is in that shipped folder.
bool is_shipped(std::filesystem::path const& file, std::filesystem::path const& folder);

}  // namespace gridcast::scenario
