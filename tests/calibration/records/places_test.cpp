// Sites with several kinds of GPUs, taken apart.
#include "calibration/records/places.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using enum history::EventKind;
using test::HistoryBuilder;

namespace {

struct Ran {
  double at;
  std::size_t job, site;
  history::GpuShare gpus;
};

// An attempt of ten seconds each.
history::JobHistory history_of(std::vector<Ran> const& ran) {
  HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}, {4, 0}}, {"A", "B"});
  for (Ran const& one : ran) {
    builder.add(one.at, one.job, matched).on(one.site);
    builder.add(one.at, one.job, executing).on(one.site);
    builder.get().events.back().gpus = builder.get().gpus_like(one.gpus);
    builder.add(one.at + 10, one.job, evicted).on(one.site);
  }
  return builder.get();
}

history::GpuShare const l40s{"NVIDIA L40S", 1, Bytes(48e9), 8.9};
history::GpuShare const a100{"NVIDIA A100 80GB PCIe", 1, Bytes(80e9), 8.0};

history::GpuShare times(history::GpuShare gpus, int count) {
  gpus.count = count;
  return gpus;
}

}  // namespace

TEST_CASE("A site with one model keeps its name; with two it has a part for each") {
  Places const split = split_by_gpu(
      history_of({{0, 0, 0, l40s}, {20, 1, 0, a100}, {40, 2, 0, l40s}, {60, 3, 1, a100}}));
  CHECK_FALSE(split.slots_decide);
  CHECK(split.history.sites == std::vector<std::string>{"A/L40S", "B", "A/A100-80GB-PCIe"});
  CHECK(split.history.events[0].site.index() == 0);
  CHECK(split.history.events[3].site.index() == 2);
  CHECK(split.history.events[5].site.index() == 2);
  CHECK(split.places[2].resource == "A");
  CHECK(split.places[2].gpus == a100);
  CHECK(split.places[1].name == "B");
}

TEST_CASE("Jobs that ask for other numbers share a site; a job that gets other numbers does not") {
  Places const chosen =
      split_by_gpu(history_of({{0, 0, 0, times(l40s, 4)}, {20, 1, 0, times(l40s, 2)}}));
  CHECK_FALSE(chosen.slots_decide);
  CHECK(chosen.history.sites == std::vector<std::string>{"A", "B"});
  Places const given =
      split_by_gpu(history_of({{0, 0, 0, times(l40s, 4)}, {20, 0, 0, times(l40s, 2)}}));
  CHECK(given.slots_decide);
  CHECK(given.history.sites.size() == 3);
}

TEST_CASE("An attempt that never executed belongs to the part that its slot was seen in") {
  history::JobHistory history = history_of({{0, 0, 0, l40s}, {20, 1, 0, l40s}, {40, 2, 0, a100}});
  for (std::size_t i = 6; i < 9; ++i) history.events[i].slot = 2;
  HistoryBuilder more(history.jobs, history.sites);
  more.get() = history;
  more.add(100, 3, matched).on(0, 2).add(110, 3, evicted).on(0, 2);
  Places const split = split_by_gpu(more.get());
  CHECK(split.history.sites[split.history.events.back().site.index()] == "A/A100-80GB-PCIe");
}

TEST_CASE("GPUs without a model are no kind of their own beside others") {
  history::GpuShare const unnamed{"", 1, {}, 0};
  Places const split =
      split_by_gpu(history_of({{0, 0, 0, unnamed}, {20, 1, 0, unnamed}, {40, 2, 0, a100}}));
  CHECK(split.history.sites == std::vector<std::string>{"A", "B"});
  CHECK(split.places[0].gpus == a100);
  CHECK(split_by_gpu(history_of({{0, 0, 0, unnamed}})).places[0].gpus == unnamed);
}

TEST_CASE("Executions without GPUs are a part of their own, beside GPUs of any kind") {
  history::GpuShare const none{.count = 0};
  Places const split = split_by_gpu(
      history_of({{0, 0, 0, a100}, {20, 1, 0, none}, {40, 2, 0, a100}, {60, 3, 1, none}}));
  CHECK(split.history.sites == std::vector<std::string>{"A/A100-80GB-PCIe", "B", "A/no-GPU"});
  CHECK(split.history.events[4].site.index() == 2);
  CHECK(split.places[2].resource == "A");
  CHECK(split.places[2].gpus == none);
  CHECK_FALSE(split.slots_decide);
  Places const unnamed = split_by_gpu(
      history_of({{0, 0, 0, times({}, 2)}, {20, 0, 0, times({}, 2)}, {40, 1, 0, none}}));
  CHECK(unnamed.history.sites == std::vector<std::string>{"A/GPU", "B", "A/no-GPU"});
}

TEST_CASE("A later record goes to the parts that the earlier one has, whatever it has itself") {
  // Job 0 got four GPUs and then two: the slots decide, and "A" has two parts.
  Places const before = split_by_gpu(history_of(
      {{0, 0, 0, times(l40s, 4)}, {20, 0, 0, times(l40s, 2)}, {40, 1, 1, times(a100, 1)}}));
  REQUIRE(before.slots_decide);
  // Each job has one number: alone, the later record would not be split at all.
  auto const sites_of = [&](std::vector<Ran> const& ran) {
    auto const later = split_like(history_of(ran), before.places, before.slots_decide);
    std::vector<std::string> sites;
    for (std::size_t i = 1; i < later.events.size(); i += 3) {
      sites.push_back(later.sites[later.events[i].site.index()]);
      CHECK(later.events[i].site == later.events[i + 1].site);
    }
    return sites;
  };
  CHECK(sites_of({{0, 0, 0, times(l40s, 2)},
                  {20, 1, 0, times(l40s, 4)},
                  {40, 2, 0, times(a100, 1)},  // no such part
                  {60, 3, 1, times(l40s, 2)}}) ==
        std::vector<std::string>{"A/2xL40S", "A/4xL40S", "A/1xA100-80GB-PCIe", "B"});
  // Without a word of its GPUs: the first part of the site.
  CHECK(sites_of({{0, 0, 0, {}}}) == std::vector<std::string>{before.places[0].name});
}

TEST_CASE("Without GPUs nothing is split") {
  Places const split = split_by_gpu(history_of({{0, 0, 0, {}}, {20, 1, 1, {}}}));
  CHECK(split.history.sites == std::vector<std::string>{"A", "B"});
  CHECK(as_named(history_of({{0, 0, 0, l40s}, {20, 1, 0, a100}})).history.sites.size() == 2);
}

}  // namespace gridcast::calibration
