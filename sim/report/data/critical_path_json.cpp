#include "sim/report/data/critical_path_json.hpp"

namespace gridcast::report {

void put_critical_path(Json& json, Result const& result) {
  if (result.critical_path.empty()) return;
  Json list = Json::array();
  for (study::CriticalStep const& step : result.critical_path) {
    list.push_back({{"name", step.name},
                    {"submitted_s", json_number(step.submitted.value())},
                    {"ended_s", json_number(step.ended.value())},
                    {"waiting_s", json_number(step.waiting.value())},
                    {"computing_s", json_number(step.computing.value())},
                    {"lost_s", json_number(step.lost.value())},
                    {"other_s", json_number(step.other.value())},
                    {"attempts", step.attempts}});
  }
  json["critical_path"] = std::move(list);
}

void read_critical_path(JsonReader const& json, Result& result) {
  json.each("critical_path", [&](std::string const&, JsonReader const& each) {
    auto const time = [&each](char const* key) { return Seconds(each.number(key)); };
    result.critical_path.push_back({each.text("name"), time("submitted_s"), time("ended_s"),
                                    time("waiting_s"), time("computing_s"), time("lost_s"),
                                    time("other_s"),
                                    static_cast<std::uint32_t>(each.count("attempts"))});
  });
}

}  // namespace gridcast::report
