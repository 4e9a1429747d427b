#include "sim/scenario/profile.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"
#include "tests/training/published/source_table.hpp"

namespace gridcast::test {

namespace {

std::string profile_refusal(std::string const& text) {
  try {
    scenario::read_profile_text("p.yaml", text);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

std::string const good =
    "schema: gridcast.profile/1\n"
    "title: a workload\n"
    "machine: theta\n"
    "storage: nvme\n"
    "dataset: {samples: 100, sample_size: 1 MB}\n"
    "train: {batch: 10}\n"
    "compute: {gpu: H100, step_time: 1 s}\n"
    "sources: {machine: x, storage: x, dataset: x, train: x, compute: 'assumed: a guess'}\n";

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("the shipped profiles can be read, and refer to entries of the catalogue") {
  auto const names = scenario::profile_names(shipped_files().profiles);
  CHECK(names.size() >= 18);
  for (auto const& name : names) {
    scenario::Profile const profile = shipped_profile(name);
    CHECK_NOTHROW(training::training_setup(profile, catalogue(), {}));
    CHECK(profile.name == name);
  }
}

TEST_CASE("a profile written out reads back as the same") {
  for (auto const& name : scenario::profile_names(shipped_files().profiles)) {
    std::string const once =
        scenario::profile_yaml(shipped_profile(name), "a comment\n\nof two paragraphs");
    CHECK(scenario::profile_yaml(scenario::read_profile_text(name + ".yaml", once),
                                 "a comment\n\nof two paragraphs") == once);
  }
}

TEST_CASE("every value has a source, and every source a value") {
  CHECK(profile_refusal(good).empty());
  CHECK_THAT(profile_refusal(replaced(good, "dataset: x", "dataset.samples: x")),
             has_text("p.yaml:5:38: dataset.sample_size: no source"));
  CHECK_THAT(profile_refusal(replaced(good, "dataset: x", "dataset: x, reader: x")),
             has_text("there is no value 'reader'"));
}

TEST_CASE("hardware of one's own has sources in its entries or in the profile's") {
  std::string const page = read_text_file(std::filesystem::path(source_dir()) / "docs/training.md");
  std::string_view const heading = "## Machines of your own", fence = "```yaml\n";
  auto const from = page.find(fence, page.find(heading)) + fence.size();
  std::string const example = page.substr(from, page.find("```\n", from) - from);
  REQUIRE_THAT(example, has_text("machines:\n    mine: {nodes: 8,"));
  std::string const own = replaced(good, "machine: theta\n", example);
  CHECK(profile_refusal(own).empty());
  CHECK_THAT(
      profile_refusal(replaced(own, "\"intra_bandwidth, inter_bandwidth\"", "inter_bandwidth")),
      has_text("hardware.machines.mine.intra_bandwidth: no source"));
  CHECK_THAT(profile_refusal(
                 replaced(own, "nodes, gpus_per_node, gpu,", "nodes, gpus_per_node, cores, gpu,")),
             has_text("hardware.machines.mine.sources: there is no value 'cores'"));
  std::string const bare =
      replaced(own, example.substr(example.find("sources:")), "sources: {nodes: x}}\n");
  CHECK_THAT(profile_refusal(bare), has_text("hardware.machines.mine.gpus_per_node: no source"));
  CHECK(profile_refusal(replaced(bare, "machine: x", "machine: x, hardware: x")).empty());
  CHECK(profile_refusal(replaced(bare, "machine: x", "machine: x, hardware.machines: x")).empty());
}

TEST_CASE("a rate below a byte a second is refused, for times would have no end") {
  std::string const store =
      "hardware: {storage: {s: {stream_bandwidth: 1 B/s, write_bandwidth: 1 B/s, "
      "bandwidth: 0 B/s, sources: {bandwidth: x}}}}\n";
  std::string const own = replaced(good, "storage: nvme\n", "storage: s\n" + store);
  std::string const reported = replaced(own, "machine: x", "machine: x, hardware: x");
  CHECK(profile_refusal(reported).empty());
  CHECK_THAT(profile_refusal(
                 replaced(reported, "stream_bandwidth: 1 B/s", "stream_bandwidth: 1e-300 B/s")),
             has_text("'1e-300 B/s' is out of range (it can be 1 byte a second at least)"));
  CHECK_THAT(profile_refusal(replaced(reported, "bandwidth: 0 B/s", "bandwidth: 0.9 B/s")),
             has_text("p.yaml:5:"));
}

TEST_CASE("bad profiles are refused with the place and a suggestion") {
  CHECK_THAT(profile_refusal(replaced(good, "samples:", "sampels:")),
             has_text("p.yaml:5:11: dataset: unknown key 'sampels'. Did you mean 'samples'?"));
  CHECK_THAT(profile_refusal(replaced(good, "1 MB", "1 s")),
             has_text("a time where a size is wanted"));
  CHECK_THAT(profile_refusal(replaced(good, "1 MB", "-1 MB")), has_text("-1 MB"));
  CHECK_THAT(profile_refusal(replaced(good, "batch: 10", "batch: 1000")),
             has_text("1000 is more than the data set has, 100"));
  CHECK_THAT(profile_refusal(replaced(good, "profile/1", "profile/9")), has_text("profile/9"));
  CHECK_THAT(profile_refusal(replaced(good, "train: {batch: 10}",
                                      "train: {batch: 10}\ncheckpoint: {size: 1 MB, every: 5 min, "
                                      "every_steps: 4}")),
             has_text("more than one interval"));
  CHECK_THAT(
      profile_refusal(replaced(good, "train: {batch: 10}",
                               "train: {batch: 10}\nexchange: {gradient: 1 TB, bucket: 1 B}")),
      has_text("more than a million buckets"));
  CHECK_THAT(
      profile_refusal(replaced(good, "train: {batch: 10}",
                               "train: {batch: 10}\nreader: {threads: 100000, prefetch: -1}")),
      has_text("100000 is out of range"));
}

TEST_CASE("a workload of DLIO is distinguished, in one line") {
  for (std::string const text :
       {"workload: {dataset: {format: npz}}\n", "dataset: {num_files_train: 3}\nreader: {}\n"}) {
    std::string const reported = profile_refusal(text);
    CHECK_THAT(reported, has_text("a workload file of DLIO where a profile is wanted"));
    CHECK_THAT(reported, has_text("gridcast init"));
    CHECK(std::count(reported.begin(), reported.end(), '\n') == 0);
  }
}

TEST_CASE("unknown profiles suggest the nearest") {
  try {
    shipped_profile("resnet50-imagenet-kempnr");
    FAIL("found");
  } catch (InputError const& error) {
    CHECK_THAT(error.what(), has_text("Did you mean 'resnet50-imagenet-kempner'?"));
  }
}

TEST_CASE("measured runs in the profile agree with the source's table") {
  scenario::Profile const profile = shipped_profile("resnet50-imagenet-kempner");
  auto const rows = shipped_files().rows("kempner-resnet50-a100");
  REQUIRE(profile.measured.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(profile.measured[i].gpus == rows[i].number("gpus"));
    CHECK(profile.measured[i].nodes == rows[i].number("nodes"));
    CHECK(profile.measured[i].wall.value() == rows[i].number("wall_s"));
    CHECK(profile.measured[i].learning_rate == rows[i].number("learning_rate"));
    CHECK(profile.measured[i].accuracy_top1 == rows[i].number("val_acc1"));
    CHECK(profile.measured[i].accuracy_top5 == rows[i].number("val_acc5"));
  }
}

}  // namespace gridcast::test
