// Which slots a submit file's jobs may have, on a pool of four GPU models at four sites, against
// lists by hand.
#include "sim/import/submit_requirements.hpp"

#include <fmt/format.h>

#include "sim/engine/job_ad.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/submit_commands.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;
using test::has_text;

class OneText final : public condor::SubmitFolder {
 public:
  explicit OneText(std::string text) : text_(std::move(text)) {}
  std::string read(fs::path const&) const override { return text_; }
  std::vector<std::string> matching(fs::path const&, std::string const&, Kind) const override {
    return {};
  }

 private:
  std::string text_;
};

SubmitImport submitted_text(std::string const& text) {
  return import_submit(
      condor::read_submit_file("job.sub", deciding_submit_commands(), OneText(text + "\nqueue")),
      {});
}

scenario::SiteSpec entry(std::string const& site, std::string const& gpu, double capability,
                         double mebibytes) {
  scenario::SiteSpec spec;
  spec.name = fmt::format("{}/{}", site, gpu);
  spec.resource = site;
  spec.gpus = spec.slots = 10;
  spec.gpu = gpu;
  spec.gpu_capability = capability;
  spec.gpu_memory = Bytes(mebibytes * 1048576);
  return spec;
}

scenario::Pool four_models() {
  scenario::Pool pool;
  pool.sites = {entry("Lyon", "GTX", 6.1, 11264), entry("Lyon", "V100", 7.0, 32768),
                entry("San Diego", "A100", 8.0, 40960), entry("Bari", "H100", 9.0, 81920)};
  return pool;
}

/// Models of the slots that the jobs may have.
std::string models(SubmitImport const& import, scenario::Pool const& pool) {
  auto const& policy = import.strategy.retry.policy;
  engine::JobFacts const facts{policy, import.campaign.request, pool.sites};
  engine::JobAd const any;
  engine::JobScope const my(facts, {}, any, {});
  std::string names;
  for (auto const id : scenario::matching_sites(pool, import.campaign.request)) {
    engine::SlotScope const slot(pool.sites[id.index()]);
    bool const meets = !policy.requirements ||
                       classad::holds(classad::evaluate(*policy.requirements, {my, &slot, 0}));
    std::string const& name = pool.sites[id.index()].name;
    if (meets) names += (names.empty() ? "" : " ") + name.substr(name.find('/') + 1);
  }
  return names;
}

std::string fitted_models(std::string const& text, scenario::Pool const& pool = four_models()) {
  SubmitImport import = submitted_text("request_gpus = 1\n" + text);
  fit_to_pool(import, pool, "job.sub");
  return models(import, pool);
}

std::string notes_with(std::string const& text, scenario::Pool const& pool = four_models()) {
  SubmitImport import = submitted_text(text);
  fit_to_pool(import, pool, "job.sub");
  std::string notes;
  for (condor::SubmitNote const& note : import.notes) {
    notes += fmt::format("{}: {}\n", note.where.line, note.what);
  }
  return notes;
}

}  // namespace

TEST_CASE("require_gpus asks each GPU of the slot", "[submit_requirements]") {
  CHECK(fitted_models("") == "GTX V100 A100 H100");
  CHECK(fitted_models("require_gpus = Capability >= 7.0 && GlobalMemoryMb < 50000") == "V100 A100");
  CHECK(fitted_models("require_gpus = (capability >= 7.0 && GLOBALMEMORYMB < 50000)") ==
        "V100 A100");
  CHECK(fitted_models("require_gpus = DeviceName == \"v100\" || MY.Capability > 8.5") ==
        "V100 H100");
  CHECK(fitted_models("require_gpus = regexp(\"00$\", DeviceName)") == "V100 A100 H100");
  CHECK(fitted_models("require_gpus = Capability >= 6 + RequestGPUs") == "V100 A100 H100");
  CHECK(fitted_models("require_gpus = Capability > 100 || DeviceName != \"Capability\"") ==
        "GTX V100 A100 H100");
}

TEST_CASE("all that is asked of slots holds together", "[submit_requirements]") {
  CHECK(fitted_models("gpus_minimum_capability = 7\ngpus_maximum_capability = 8.0") == "V100 A100");
  CHECK(fitted_models("gpus_maximum_memory = 40GB") == "GTX V100 A100");
  CHECK(fitted_models("gpus_maximum_memory = 40959") == "GTX V100");
  CHECK(fitted_models("gpus_minimum_memory = 32GB\nrequire_gpus = Capability < 8.9") ==
        "V100 A100");
  CHECK(fitted_models("require_gpus = Capability < 8 || Capability > 8.9\n"
                      "requirements = GLIDEIN_Site == \"Lyon\" || GPUs > 5\n"
                      "gpus_maximum_memory = 50000") == "GTX V100");
  CHECK(submitted_text("request_gpus = 1\nrequire_gpus = Capability < 8 || Capability > 8.9\n"
                       "requirements = Arch == \"X86_64\"\ngpus_maximum_capability = 9")
            .strategy.retry.policy.requirements->text() ==
        "Arch == \"X86_64\" && (GPUs_Capability < 8 || GPUs_Capability > 8.9)");
}

TEST_CASE("condor_submit adds no limit on attributes in require_gpus, and none without GPUs",
          "[submit_requirements]") {
  std::string const both = "request_gpus = 1\nrequire_gpus = Capability > 6.5\n";
  CHECK(notes_with(both + "gpus_minimum_capability = 8") ==
        "3: gpus_minimum_capability = 8 left out: require_gpus names Capability, and condor_submit "
        "then adds no limit of it\n");
  CHECK(fitted_models("require_gpus = Capability > 6.5\ngpus_minimum_capability = 8") ==
        "V100 A100 H100");
  std::string const none = "require_gpus = Capability > 6.5\ngpus_minimum_memory = 32GB\n";
  SubmitImport const import = submitted_text(none);
  CHECK(models(import, four_models()) == "GTX V100 A100 H100");
  CHECK(notes_with(none) ==
        "1: require_gpus = Capability > 6.5: condor_submit ignores it without request_gpus\n"
        "2: gpus_minimum_memory = 32GB: condor_submit ignores it without request_gpus\n");
}

TEST_CASE("attributes that simulated GPUs lack are left out by name", "[submit_requirements]") {
  std::string const text =
      "request_gpus = 1\nrequire_gpus = Capability >= 8 && DriverVersion >= 12.4\n"
      "gpus_minimum_runtime = 12.6\ncuda_version = 11.0\n";
  CHECK(notes_with(text) ==
        "2: require_gpus: DriverVersion >= 12.4 left out: the GPUs of simulated slots have no "
        "DriverVersion\n"
        "3: gpus_minimum_runtime = 12.6 left out: the GPUs of simulated slots have no "
        "MaxSupportedVersion\n"
        "4: cuda_version = 11.0 left out: the GPUs of simulated slots have no "
        "CUDAMaxSupportedVersion\n");
  CHECK(fitted_models(text) == "A100 H100");
  // The slot's names are not the GPU's, nor are those of the job that it is asked by.
  CHECK_THAT(notes_with("request_gpus = 1\nrequire_gpus = GPUs_Capability >= 8"),
             has_text("have no GPUs_Capability"));
  CHECK_THAT(notes_with("request_gpus = 1\nrequire_gpus = TARGET.Capability >= 8"),
             has_text("have no Capability"));
  CHECK_THAT(notes_with("request_gpus = 1\nrequire_gpus = .Capability >= 8"),
             has_text("have no Capability"));
  CHECK_THAT(notes_with("request_gpus = 1\ngpus_maximum_capability = new"),
             has_text("2: not understood: gpus_maximum_capability = new"));
}

TEST_CASE("sites that jobs want, and do not want", "[submit_requirements]") {
  CHECK(fitted_models("+UNDESIRED_Sites = \"Lyon, San Diego\"") == "H100");
  CHECK(fitted_models("MY.DESIRED_Sites = \"San Diego,Bari\"") == "A100 H100");
  CHECK(fitted_models("undesired_sites = Lyon") == "A100 H100");
  CHECK(fitted_models("+DESIRED_Sites = \"Lyon,Bari\"\n+UNDESIRED_Sites = \"Bari\"\n"
                      "require_gpus = Capability > 7 || DeviceName == \"GTX\"") == "GTX");
  // Without quotes it is another attribute's name, which pilots find undefined.
  CHECK(fitted_models("+DESIRED_Sites = Lyon") == "GTX V100 A100 H100");
  CHECK(notes_with("+DESIRED_Sites = Lyon") == "1: not understood: +DESIRED_Sites = Lyon\n");
  CHECK(notes_with("+DESIRED_Sites = \"Lyon\"").empty());
  CHECK(notes_with("+UNDESIRED_Sites = \"CHTC,Lyon,Nowhere\"") ==
        "1: UNDESIRED_Sites: no site of the pool is called CHTC, Nowhere\n");
}

TEST_CASE("a site's name stands for the resources that begin with it", "[submit_requirements]") {
  scenario::Pool pool = four_models();
  for (scenario::SiteSpec& site : pool.sites) {
    if (site.resource == "Lyon") site.resource = "Lyon-IN2P3-CE1";
  }
  auto const fit = [&pool](std::string const& text) { return fitted_models(text, pool); };
  CHECK(fit("+DESIRED_Sites = \"lyon\"") == "GTX V100");
  CHECK(fit("+UNDESIRED_Sites = \"Lyon\"") == "A100 H100");
  CHECK(fit("+DESIRED_Sites = \"Ly,Bari\"") == "H100");
  CHECK(notes_with("+DESIRED_Sites = \"Lyon\"", pool) ==
        "1: DESIRED_Sites: Lyon is taken for Lyon-IN2P3-CE1\n");
  CHECK(notes_with("+UNDESIRED_Sites = \"a,b,c,d,e,f,g,h\"", pool) ==
        "1: UNDESIRED_Sites: no site of the pool is called a, b, c, d, e, f and 2 others\n");
  // The pool has none of the desired sites.
  CHECK(fit("+DESIRED_Sites = \"CHTC\"\n+UNDESIRED_Sites = \"Bari\"") == "GTX V100 A100");
  CHECK(notes_with("+DESIRED_Sites = \"CHTC\"", pool) ==
        "1: DESIRED_Sites: no site of the pool is called CHTC; ignored: the jobs may run at all of "
        "its sites (Bari, Lyon-IN2P3-CE1, San Diego)\n");
}

TEST_CASE("memory that the pool does not state is taken for met, and noted",
          "[submit_requirements]") {
  scenario::Pool pool = four_models();
  for (scenario::SiteSpec& site : pool.sites) site.memory = Bytes(64e9);
  CHECK(notes_with("request_memory = 4 GB", pool).empty());
  pool.sites[1].memory = Bytes();
  CHECK_THAT(notes_with("request_memory = 4 GB", pool),
             test::has_text("request_memory") && test::has_text("does not list it for 1 of the 4"));
  CHECK(notes_with("request_cpus = 1", pool).empty());
}

TEST_CASE("requirements take properties of GPUs that a record lacks as met",
          "[submit_requirements]") {
  scenario::Pool pool = four_models();
  pool.sites[1].gpu_capability = 0;  // the V100 of Lyon
  pool.sites[3].gpu_memory = Bytes();
  std::string const text =
      "requirements = (GPUs_Capability >= 8.0)\nrequire_gpus = GlobalMemoryMb > 20000\n";
  CHECK(fitted_models(text, pool) == "V100 A100 H100");
  CHECK(
      notes_with("request_gpus = 1\n" + text, pool) ==
      "0: requirements: (GPUs_Capability >= 8.0): the pool does not list it for 1 of the 4 entries "
      "that the jobs match, so it is taken for met there\n"
      "0: requirements: GPUs_GlobalMemoryMb > 20000: the pool does not list it for 1 of the 4 "
      "entries that the jobs match, so it is taken for met there\n");
  pool.sites[2].gpu = "";
  CHECK(fitted_models("require_gpus = DeviceName =?= \"V100\"", pool) == "V100 A100");
  // Slots of which it is known that they have no GPU.
  pool.sites[0].gpus = 0;
  SubmitImport import = submitted_text("requirements = GPUs_Capability >= 8.0");
  fit_to_pool(import, pool, "job.sub");
  CHECK(models(import, pool) == "A100 H100");
  // The number of GPUs is unknown for all of them.
  for (scenario::SiteSpec& site : pool.sites) {
    site.gpus = 0;
    site.gpu_capability = 0;
  }
  CHECK(fitted_models("require_gpus = Capability >= 7", pool) == "GTX V100 A100 H100");
}

}  // namespace gridcast::import
