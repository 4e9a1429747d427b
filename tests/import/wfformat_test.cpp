#include "sim/import/wfformat.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using Json = nlohmann::json;

// Written by hand from the documentation of WfFormat 1.5: a diamond and a task of its own.
char const* const instance_text = R"({
  "name": "diamond",
  "schemaVersion": "1.5",
  "workflow": {
    "specification": {
      "tasks": [
        {"name": "last", "id": "d", "parents": ["b", "c"], "children": []},
        {"name": "first", "id": "a", "parents": [], "children": ["b", "c"],
         "inputFiles": ["f1"], "outputFiles": ["f2"]},
        {"name": "left", "id": "b", "parents": ["a"], "children": ["d"], "inputFiles": ["f2"]},
        {"name": "right", "id": "c", "parents": ["a"], "children": ["d"],
         "inputFiles": ["f1", "f2"]},
        {"name": "alone", "id": "e", "parents": [], "children": []}
      ],
      "files": [{"id": "f1", "sizeInBytes": 1000}, {"id": "f2", "sizeInBytes": 500}]
    },
    "execution": {
      "makespanInSeconds": 60.5,
      "executedAt": "2026-01-02T03:04:05+00:00",
      "tasks": [
        {"id": "a", "runtimeInSeconds": 10},
        {"id": "b", "runtimeInSeconds": 20.5},
        {"id": "c", "runtimeInSeconds": 5},
        {"id": "d", "runtimeInSeconds": 30},
        {"id": "e", "runtimeInSeconds": 7}
      ],
      "machines": [{"nodeName": "n1", "cpu": {"coreCount": 4}}, {"nodeName": "n2"}]
    }
  }
})";

// The same workflow as the documentation of 1.4 describes it; edges by name and by id.
char const* const flat_text = R"({
  "name": "diamond",
  "schemaVersion": "1.4",
  "workflow": {
    "makespanInSeconds": 60.5,
    "executedAt": "20260102T030405+0000",
    "machines": [{"nodeName": "n1", "cpu": {"count": 4, "speed": 1200}}, {"nodeName": "n2"}],
    "tasks": [
      {"name": "d", "type": "compute", "parents": ["b", "c"], "runtimeInSeconds": 30},
      {"name": "a", "id": "ID1", "type": "compute", "runtimeInSeconds": 10,
       "files": [{"link": "input", "name": "f1", "sizeInBytes": 1000},
                 {"link": "output", "name": "f2", "sizeInBytes": 500}]},
      {"name": "b", "id": "ID2", "type": "compute", "parents": ["ID1"], "runtimeInSeconds": 20.5,
       "files": [{"link": "input", "name": "f2", "sizeInBytes": 500}]},
      {"name": "c", "type": "compute", "parents": ["a"], "children": ["d"], "runtimeInSeconds": 5,
       "files": [{"link": "input", "name": "f1", "sizeInBytes": 1000},
                 {"link": "input", "name": "f2", "sizeInBytes": 500}]},
      {"name": "e", "type": "auxiliary", "runtimeInSeconds": 7}
    ]
  }
})";

Json flat_diamond() { return Json::parse(flat_text); }

Json diamond() { return Json::parse(instance_text); }

WfInstance read(Json const& json) { return wf_instance(json.dump(1), "x.json"); }

/// The problems, one a line; empty if there are none.
std::string problems(Json const& json) {
  try {
    read(json);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

Json& tasks(Json& json) { return json["workflow"]["specification"]["tasks"]; }
Json& runs(Json& json) { return json["workflow"]["execution"]["tasks"]; }

}  // namespace

TEST_CASE("an instance is read with its tasks behind their parents", "[wfformat]") {
  WfInstance const instance = read(diamond());
  CHECK(instance.name == "diamond");
  CHECK(instance.edges == 4);
  CHECK(instance.cores == 4);
  CHECK(instance.notes.empty());
  REQUIRE(instance.tasks.size() == 5);
  std::string order;
  for (WfTask const& task : instance.tasks) order += task.id;
  CHECK((order.find('a') < order.find('b') && order.find('a') < order.find('c')));
  CHECK((order.find('b') < order.find('d') && order.find('c') < order.find('d')));
}

TEST_CASE("A task occupies the slots of its cores; one end of an edge may name it alone") {
  Json json = Json::parse(instance_text);
  Json& workflow = json["workflow"];
  Json& ran = workflow["execution"]["tasks"];
  ran[0]["coreCount"] = 0.5;
  ran[1]["coreCount"] = 2.5;
  ran[2]["coreCount"] = 100;
  for (Json& task : workflow["specification"]["tasks"]) task.erase("children");
  WfInstance const instance = wf_instance(json.dump(), "x.json");
  CHECK(instance.edges == 4);
  std::map<std::string, int> slots;
  for (TraceJob const& job : import_wfformat(instance, "x.json", std::nullopt).jobs) {
    slots[job.name] = job.slots;
  }
  // Four cores are all that the machines have.
  CHECK(slots == std::map<std::string, int>{{"a", 1}, {"b", 3}, {"c", 4}, {"d", 1}, {"e", 1}});
  workflow["execution"].erase("machines");
  // b and c run at one time.
  CHECK(import_wfformat(wf_instance(json.dump(), "x.json"), "x.json", std::nullopt).slots == 103);
}

TEST_CASE("tasks are submitted when their parents are done", "[wfformat]") {
  WfInstance const instance = read(diamond());
  TraceCampaign const campaign = import_wfformat(instance, "x.json", {});
  for (std::size_t i = 0; i < instance.tasks.size(); ++i) {
    std::string const& id = instance.tasks[i].id;
    double const start = id == "d" ? 30.5 : id == "b" || id == "c" ? 10 : 0;
    INFO(id);
    CHECK(campaign.jobs[i].at == Seconds(start));
    std::vector<std::string> const after = id == "d"   ? std::vector<std::string>{"b", "c"}
                                           : start > 0 ? std::vector<std::string>{"a"}
                                                       : std::vector<std::string>();
    CHECK(campaign.jobs[i].after == after);
  }
  CHECK(campaign.slots == 4);
  CHECK(campaign.input == Bytes(600));  // (1000 + 500 + 1500) / 5
  CHECK(campaign.comments.size() == 2);
  CHECK(has(trace_scenario(campaign).front().second, "after: [\"b\", \"c\"]"));
  CHECK(import_wfformat(instance, "x.json", {9}).slots == 9);
}

TEST_CASE("versions before 1.5 have the run times and files in their tasks", "[wfformat]") {
  Json older = flat_diamond();  // 1.1 as the world wrote it
  older["schemaVersion"] = "1.1";
  auto& workflow = older["workflow"];
  for (auto& job : workflow["tasks"]) {
    job["runtime"] = job["runtimeInSeconds"];
    job.erase("runtimeInSeconds");
    if (!job.contains("files")) continue;
    for (auto& file : job["files"]) {
      file["size"] = file["sizeInBytes"];
      file.erase("sizeInBytes");
    }
  }
  workflow["jobs"] = workflow["tasks"];
  workflow.erase("tasks");
  auto const wanted = trace_scenario(import_wfformat(read(diamond()), "x.json", {}));
  CHECK(trace_scenario(import_wfformat(read(flat_diamond()), "x.json", {})) == wanted);
  CHECK(trace_scenario(import_wfformat(read(older), "x.json", {})) == wanted);
}

TEST_CASE("ids distinguish tasks of one name", "[wfformat]") {
  Json older = flat_diamond();
  auto& tasks = older["workflow"]["tasks"];
  std::size_t const before = wf_instance(older.dump(), "i.json").tasks.size();
  Json more = {{"name", "fastp"}, {"id", "7"}, {"runtimeInSeconds", 3}};
  tasks.push_back(more);
  more["id"] = "8";
  more["parents"] = {"7"};
  tasks.push_back(more);
  auto const instance = wf_instance(older.dump(), "i.json");
  REQUIRE(instance.tasks.size() == before + 2);
  auto const second = std::find_if(instance.tasks.begin(), instance.tasks.end(),
                                   [](WfTask const& task) { return task.id == "fastp (8)"; });
  REQUIRE(second != instance.tasks.end());
  CHECK(second->after == std::vector<std::string>{"fastp"});
  tasks.back()["parents"] = {"fastp"};
  CHECK_THROWS_WITH(wf_instance(older.dump(), "i.json"),
                    test::has_text("several tasks are called 'fastp'"));
  tasks.back().erase("parents");
  tasks.back()["id"] = "7";
  CHECK_THROWS_WITH(wf_instance(older.dump(), "i.json"), test::has_text("is there twice"));
}

TEST_CASE("faults of an instance before 1.5 are refused at their place", "[wfformat]") {
  Json json = flat_diamond();
  auto& flat_tasks = json["workflow"]["tasks"];
  flat_tasks[0]["parents"].push_back("x");
  flat_tasks[2]["files"][0]["sizeInBytes"] = -1;
  flat_tasks[3]["files"][0].erase("sizeInBytes");
  flat_tasks[4]["name"] = "a";
  flat_tasks[1]["runtimeInSeconds"] = nullptr;
  json["workflow"]["machines"][0]["cpu"]["count"] = 0;
  std::string const text = problems(json);
  CHECK(has(text, "task 'd': no parent 'x'"));
  CHECK(has(text, "task 'b': 'sizeInBytes' is negative"));
  CHECK(has(text, "task 'c': file: 'sizeInBytes' is missing"));
  CHECK(has(text, "task 'a' is there twice"));
  CHECK(has(text, "task 'a': 'runtimeInSeconds' has to be a number"));
  CHECK(has(text, "cpu: 'count' has to be 1"));
  json = flat_diamond();
  json["workflow"]["tasks"] = Json::array();
  CHECK(has(problems(json), "there are no tasks"));
  json["workflow"].erase("tasks");
  CHECK(has(problems(json), "workflow: 'tasks' is missing"));
}

TEST_CASE("a workflow without machines has as many slots as tasks at a time", "[wfformat]") {
  Json json = diamond();
  json["workflow"]["execution"].erase("machines");
  CHECK(import_wfformat(read(json), "x.json", {}).slots == 2);
}

TEST_CASE(
    "tasks without a run time of use are left out and named; their children wait for "
    "their parents",
    "[wfformat]") {
  Json json = diamond();
  runs(json)[1]["runtimeInSeconds"] = -1;  // b
  runs(json).erase(4);                     // e
  Json long_one = diamond();
  runs(long_one)[1]["runtimeInSeconds"] = 1e300;
  CHECK(has(read(long_one).notes.at(0).why, "left out: a time of more than a hundred years"));
  WfInstance const instance = read(json);
  REQUIRE(instance.tasks.size() == 3);
  REQUIRE(instance.notes.size() == 2);
  std::vector<std::string> named;
  for (auto const& note : instance.notes) {
    CHECK(note.where.line > 0);
    CHECK(note.where.column > 0);
    named.push_back(note.what + " " + note.why);
  }
  std::sort(named.begin(), named.end());
  CHECK(named[0] == "task 'b' left out: the run time is negative");
  CHECK(has(named[1], "task 'e' left out: no run time"));
  TraceCampaign const campaign = import_wfformat(instance, "x.json", {});
  CHECK(campaign.jobs.back().at == Seconds(15));  // d, behind a and c
  CHECK(campaign.jobs.back().after == std::vector<std::string>{"a", "c"});
}

TEST_CASE("violations of the schema are refused all at once", "[wfformat]") {
  Json json = diamond();
  tasks(json)[1]["parents"] = "a";
  json["workflow"]["specification"]["files"][0]["sizeInBytes"] = -1;
  json["workflow"]["specification"]["files"][1].erase("id");
  runs(json)[0]["runtimeInSeconds"] = "10";
  std::string const text = problems(json);
  CHECK(has(text, "file: 'id' is missing"));
  CHECK(has(text, "task 'a': 'parents' has to be a list"));
  CHECK(has(text, "'sizeInBytes' is negative"));
  CHECK(has(text, "'runtimeInSeconds' has to be a number"));
}

TEST_CASE("other versions and kinds of files are refused", "[wfformat]") {
  Json json = diamond();
  json["schemaVersion"] = "0.9";
  CHECK(has(problems(json), "this version of WfFormat is not read"));
  json["schemaVersion"] = 1.5;
  CHECK(has(problems(json), "this version of WfFormat is not read"));
  json["schemaVersion"] = "1.6";
  CHECK(problems(json).empty());
  json.erase("schemaVersion");
  CHECK(has(problems(json), "'schemaVersion' is missing"));
  CHECK(has(problems(Json::array()), "is an object"));
  json = diamond();
  json["workflow"].erase("execution");
  CHECK(has(problems(json), "'execution' is missing"));
  json = diamond();
  tasks(json) = Json::array();
  CHECK(has(problems(json), "there are no tasks"));
  json = diamond();
  for (auto& run : runs(json)) run["runtimeInSeconds"] = -5;
  CHECK(has(problems(json), "no task is left"));
}

TEST_CASE("edges and files have to lead somewhere", "[wfformat]") {
  Json json = diamond();
  tasks(json)[0]["parents"].push_back("x");
  CHECK(has(problems(json), "task 'd': no parent 'x'"));
  json = diamond();
  tasks(json)[1]["children"].push_back("e");
  CHECK(read(json).edges == read(diamond()).edges + 1);
  json = diamond();
  tasks(json)[4]["parents"].push_back("a");
  CHECK(read(json).edges == read(diamond()).edges + 1);
  json = diamond();
  tasks(json)[1]["inputFiles"].push_back("f9");
  CHECK(has(problems(json), "task 'a': no file 'f9'"));
  json = diamond();
  tasks(json)[4]["id"] = "a";
  CHECK(has(problems(json), "task 'a' is there twice"));
  json = diamond();
  runs(json).push_back({{"id", "z"}, {"runtimeInSeconds", 1}});
  CHECK(has(problems(json), "no task 'z'"));
}

TEST_CASE("a circle is refused", "[wfformat]") {
  Json json = diamond();
  tasks(json)[1]["parents"].push_back("d");
  tasks(json)[0]["children"].push_back("a");
  CHECK(has(problems(json), "waits for itself"));
}

}  // namespace gridcast::import
