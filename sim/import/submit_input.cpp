// transfer_input_files and container_image. Files that a URL names are fetched by plugins, and are
// the input of the scenario. Files of the access point are sent by it; they are the input only
// where there are no URLs, because one strategy has one protocol.
#include <system_error>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_reading.hpp"
#include "sim/import/submit_values.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

struct Wanted {
  std::string name;
  condor::SubmitValue const* value;
};

std::vector<Wanted> wanted_files(SubmitReading& reading) {
  std::vector<Wanted> wanted;
  if (condor::SubmitValue const* const list = reading.find("transfer_input_files")) {
    for (std::string const& name : split(unquoted(list->text), ',')) {
      if (!trim(name).empty()) wanted.push_back({std::string(trim(name)), list});
    }
  }
  if (condor::SubmitValue const* const image = reading.find("container_image")) {
    std::string const name = unquoted(image->text);
    if (lower(name).starts_with("docker://") || name.starts_with("/cvmfs/")) {
      reading.note(image->where,
                   fmt::format("container_image = {}: fetched by the site, not simulated", name));
    } else {
      wanted.push_back({name, image});
    }
  }
  return wanted;
}

std::optional<Bytes> known_size(SubmitReading const& reading, std::string const& name) {
  for (std::string const& key : {name, name.substr(0, name.find('?'))}) {
    auto const found = reading.sizes.find(key);
    if (found != reading.sizes.end()) return found->second;
  }
  return size_in_url(name);
}

std::optional<Bytes> local_size(SubmitReading const& reading, std::string const& name) {
  if (auto const known = known_size(reading, name)) return known;
  condor::SubmitValue const* const initial = reading.find("initialdir");
  fs::path const folder = reading.folder / (initial ? unquoted(initial->text) : "");
  std::error_code error;
  auto const bytes = fs::file_size(folder / name, error);
  if (error) return std::nullopt;
  return Bytes(static_cast<double>(bytes));
}

void add_url(SubmitReading& reading, Wanted const& file) {
  auto const size = known_size(reading, file.name);
  if (size) {
    reading.result.campaign.input.push_back({file.name, *size});
    return;
  }
  reading.complain(*file.value, fmt::format("the size of {} is not known", file.name),
                   "how long its transfer takes depends on it",
                   fmt::format("Add --size '{}=137GB', with its size.", file.name));
}

/// Files of the access point: all of them, or none if URLs are fetched as well.
void add_local(SubmitReading& reading, std::vector<Wanted> const& files, bool has_urls) {
  for (Wanted const& file : files) {
    auto const size = local_size(reading, file.name);
    std::string const told = size ? to_text(*size) : "size not known";
    if (!size || size->value() <= 0 || has_urls) {
      reading.note(
          file.value->where,
          fmt::format("{} ({}) is sent by the access point: not simulated", file.name, told));
    } else {
      reading.result.campaign.input.push_back({file.name, *size});
      reading.result.strategy.transfer.protocol = scenario::Protocol::htcondor;
    }
  }
}

}  // namespace

void read_submit_input(SubmitReading& reading) {
  std::vector<Wanted> local;
  bool has_urls = false;
  bool all_http = true;
  for (Wanted const& file : wanted_files(reading)) {
    if (!is_url(file.name)) {
      local.push_back(file);
      continue;
    }
    has_urls = true;
    all_http = all_http && lower(file.name).starts_with("http");
    add_url(reading, file);
  }
  if (has_urls && all_http) reading.result.strategy.transfer.protocol = scenario::Protocol::http;
  add_local(reading, local, has_urls);
}

}  // namespace gridcast::import
