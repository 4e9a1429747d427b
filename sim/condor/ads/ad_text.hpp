// ClassAds as HTCondor's tools print them, taken apart into attributes, before their meaning as
// ads:
//   -long          "Name = value" a line (old syntax), a blank line behind each ad
//   -json          an array of objects; -jsonl: an object a line; also objects one after another
//   epoch files    old syntax, behind each ad a banner "*** EPOCH ClusterId=4 ProcId=1 ..."
// JSON has no expressions: "/Expr(...)/" stands for one, and is undefined here. Elasticsearch gives
// out ads in the _source of each object, or of each of the hits in one answer.
//   -xml           <c> ads of <a n="Name"> attributes
//   -af:h          a table: the names of attributes in the first row, an ad in each other one; so
//                  do programs such as pandas write ads
//   new syntax     "[ Name = value; ... ]", as print() of the Python bindings writes it; a list of
//                  them is in { }
// HTCondor manual, condor_history(1) and condor_q(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/classad/value.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/log/read_log.hpp"

namespace gridcast::condor {

// Beyond these an attribute is a mistake.
inline constexpr double latest_date = 4102444800;  // the year 2100, in Unix time
inline constexpr double longest_s = 3e9;           // a hundred years

struct TextAd {
  std::vector<std::pair<std::string, classad::Value>> attributes;
  std::string type;                     // of the banner: EPOCH, INPUT, ...; empty without one
  std::size_t line = 0;                 // where it begins, from 1
  std::vector<std::size_t> lines = {};  // of each attribute; empty in forms without a line for each

  std::size_t line_of(std::size_t attribute) const {
    return attribute < lines.size() ? lines[attribute] : line;
  }
};

using AdSink = std::function<void(TextAd&&)>;

/// Of a document of Elasticsearch or MONIT its content, else the object itself.
nlohmann::json const& document_in(nlohmann::json const& object);

/// The attributes of one ad, which the text begins with. False if it is none.
bool read_json_ad(std::string_view text, TextAd& ad);
bool read_xml_ad(std::string_view text, TextAd& ad);

/// True if the first rows of a text are those of a table of job ads.
bool is_table_of_ads(std::string_view text);
/// Gives the ad of each row to `sink`. Rows with too many or few cells are counted in `warnings`.
void read_table_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink);

/// Gives each ad to `sink`. Text in no ad is counted in `warnings`. InputError naming `file` for a
/// text that is in none of the forms. An empty text has no ads.
void read_ad_text(std::string_view text, std::string const& file, LogWarnings& warnings,
                  AdSink const& sink);

// Values of a ClassAd, put where facts about jobs have them: checked, and left where they were if
// they cannot be. Names of attributes are compared without regard to case.

// Each `take` is false for a value that the member cannot have.

/// A number, or a text that is one: exporters of JSON write "12". `other` for all else.
inline double number_in(classad::Value const& value, double other) {
  auto const* text = value.as<std::string>();
  if (text == nullptr) return value.number(other);
  return text_as<double>(trim(*text)).value_or(other);
}

/// Documents of Elasticsearch often have milliseconds, which no date in seconds is near.
inline bool take(UnixDate& into, classad::Value const& value) {
  constexpr double millisecond = 1e-3, least = latest_date * 10;
  double date = number_in(value, latest_date + 1);
  if (date > least) date *= millisecond;
  if (date > latest_date) return false;
  if (date > 0) into = static_cast<std::int64_t>(date);
  return date >= -1;
}

inline bool take(std::optional<Seconds>& into, classad::Value const& value) {
  double const time = number_in(value, -1);
  if (!(time >= 0 && time <= longest_s)) return false;
  into = Seconds(time);
  return true;
}

template <class Number>
bool take(std::optional<Number>& into, classad::Value const& value) {
  double const number = number_in(value, std::numeric_limits<double>::infinity());
  if (!(number >= static_cast<double>(std::numeric_limits<Number>::min()) &&
        number <= static_cast<double>(std::numeric_limits<Number>::max()))) {
    return false;
  }
  into = static_cast<Number>(number);
  return true;
}

inline bool take(std::string& into, classad::Value const& value) {
  auto const* text = value.as<std::string>();
  if (text != nullptr) into = *text;
  return text != nullptr;
}

inline bool take(bool& into, classad::Value const& value) {
  auto const* truth = value.as<bool>();
  if (truth != nullptr) into = *truth;
  return truth != nullptr;
}

// An amount in units of so many bytes.
inline bool take(std::optional<Bytes>& into, classad::Value const& value, double unit) {
  double const amount = number_in(value, -1);
  if (!(amount >= 0 && amount < 1e15)) return false;
  into = Bytes(amount * unit);
  return true;
}

/// Null where the ad has none.
inline classad::Value const* find(TextAd const& ad, std::string_view name) {
  for (auto const& [known, value] : ad.attributes) {
    if (same_ignoring_case(known, name)) return &value;
  }
  return nullptr;
}

template <class Type>
bool take_from(TextAd const& ad, std::string_view name, Type& into) {
  classad::Value const* value = find(ad, name);
  return value != nullptr && !value->is_undefined() && take(into, *value);
}

template <class Type>
bool take_from(classad::Ad const& ad, std::string_view name, Type& into) {
  classad::Value const value = ad.lookup(name);
  return !value.is_undefined() && take(into, value);
}

}  // namespace gridcast::condor
