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

TEST_CASE("Without GPUs nothing is split") {
  Places const split = split_by_gpu(history_of({{0, 0, 0, {}}, {20, 1, 1, {}}}));
  CHECK(split.history.sites == std::vector<std::string>{"A", "B"});
  CHECK(as_named(history_of({{0, 0, 0, l40s}, {20, 1, 0, a100}})).history.sites.size() == 2);
}

}  // namespace gridcast::calibration
