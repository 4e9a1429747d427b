// The catalogue of hardware: every value has its source.
#include "sim/base/error.hpp"
#include "sim/scenario/catalogue.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::ScenarioFiles;

namespace {

constexpr char small[] = R"(schema: gridcast.hardware/1
gpus:
  G: {memory: 16 GB, images_per_s: 100, sources: {memory: a data sheet, images_per_s: me}}
storage:
  S: {stream_bandwidth: 1 GB/s, write_bandwidth: 1 GB/s,
      sources: {"stream_bandwidth, write_bandwidth": me}}
machines:
  M: {nodes: 1, gpus_per_node: 1, gpu: G, memory: 1 GB, intra_bandwidth: 1 GB/s,
      inter_bandwidth: 1 GB/s,
      sources: {"nodes, gpus_per_node, gpu, memory, intra_bandwidth, inter_bandwidth": me}}
)";

std::vector<std::string> problems(ScenarioFiles const& files) {
  return files.problems([&files] { read_hardware(files / "hardware.yaml"); });
}

}  // namespace

TEST_CASE("Every value of a GPU, a store and a machine has its source") {
  ScenarioFiles files;
  files.write("hardware.yaml", small);
  CHECK(problems(files).empty());
  CHECK(find_gpu(read_hardware(files / "hardware.yaml"), "G").sources.at("memory") ==
        "a data sheet");
  files.edit("hardware.yaml", "{memory: a data sheet, ", "{");
  REQUIRE(problems(files).size() == 1);
  CHECK_THAT(problems(files)[0], has_text("hardware.yaml:3:15: gpus.G.memory: no source"));
  files.edit("hardware.yaml", "sources: {images_per_s",
             "sources: {memori: x, memory: y, images_per_s");
  REQUIRE(problems(files).size() == 1);
  CHECK_THAT(problems(files)[0], has_text("gpus.G.sources: there is no value 'memori'"));
}

TEST_CASE("A machine's GPU has to be in the same file") {
  ScenarioFiles files;
  files.write("hardware.yaml", small);
  files.edit("hardware.yaml", "gpu: G,", "gpu: H,");
  REQUIRE(problems(files).size() == 1);
  CHECK_THAT(problems(files)[0], has_text("machines.M.gpu: unknown GPU 'H'"));
}

}  // namespace gridcast::scenario
