#include "sim/report/data/retries_json.hpp"

#include <cmath>
#include <string>

#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

Json json_of(ledger::Retried const& retried) {
  Json json;
  json["tried"] = retried.tried;
  json["succeeded"] = retried.succeeded;
  json["share"] = json_number(retried.share());
  Interval const range = retried.interval95();
  json["ci95"] = {json_number(range.low), json_number(range.high)};
  return json;
}

/// Two shares, and whether they differ.
Json json_of(char const* one, ledger::Retried const& a, char const* other,
             ledger::Retried const& b) {
  Json json;
  json[one] = json_of(a);
  json[other] = json_of(b);
  bool const both = a.tried > 0 && b.tried > 0;
  json["p_value"] = both ? json_number(ledger::p_of_difference(a, b)) : Json(nullptr);
  return json;
}

Json json_of(ledger::RetryCause const& cause) {
  Json json;
  json["failures"] = cause.failures;
  json["not_tried"] = cause.not_tried;
  json["next"] = json_of(cause.next);
  json["jobs"] = cause.jobs;
  json["jobs_fixed"] = cause.fixed;
  json["jobs_never_fixed"] = cause.never_fixed();
  json["jobs_open"] = cause.open;
  Json numbers = Json::array();
  for (std::size_t i = 0; i < cause.by_number.size(); ++i) {
    Json one = json_of(cause.by_number[i]);
    one["failed_attempt"] = i + 1;
    one["or_later"] = i + 1 == cause.by_number.size();
    numbers.push_back(std::move(one));
  }
  json["by_attempt"] = std::move(numbers);
  json["site"] = json_of("same", cause.same_site, "other", cause.other_site);
  json["host"] = json_of("same", cause.same_host, "other", cause.other_host);
  Json waits;
  for (std::size_t i = 0; i < cause.by_wait.size(); ++i) {
    waits[std::string(name(static_cast<ledger::RetryWait>(i)))] = json_of(cause.by_wait[i]);
  }
  json["wait"] = std::move(waits);
  return json;
}

}  // namespace

Json retries_json(ledger::Retries const& retries) {
  Json json;
  json["schema"] = "gridcast.retries/1";
  json["all"] = json_of(retries.all);
  Json causes = Json::array();
  for (ledger::RetryCause const& cause : retries.causes) {
    Json one;
    one["ending"] = std::string(ending_word(cause.ending.kind));
    one["reason"] = std::string(history::name(cause.ending.reason));
    one["code"] = cause.ending.code;
    one["subcode"] = cause.ending.subcode;
    one["exit_code"] = cause.ending.exit_code;
    one["words"] = words_of(cause.ending).what;
    one.update(json_of(cause));
    causes.push_back(std::move(one));
  }
  json["causes"] = std::move(causes);
  return json;
}

}  // namespace gridcast::report
