// ClassAds as HTCondor's tools print them, taken apart into attributes, before their meaning as
// ads:
//   -long          "Name = value" a line (old syntax), a blank line behind each ad
//   -json          an array of objects; -jsonl: an object a line; also objects one after another
//   epoch files    old syntax, behind each ad a banner "*** EPOCH ClusterId=4 ProcId=1 ..."
// JSON has no expressions: "/Expr(...)/" stands for one, and is undefined here. Elasticsearch gives
// out ads in the _source of each object, or of each of the hits in one answer.
//   -xml           <c> ads of <a n="Name"> attributes
//   new syntax     "[ Name = value; ... ]", as print() of the Python bindings writes it; a list of
//                  them is in { }
// HTCondor manual, condor_history(1) and condor_q(1).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/classad/value.hpp"
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

/// Of a document of Elasticsearch its content, else the object itself.
nlohmann::json const& document_in(nlohmann::json const& object);

/// The attributes of one ad, which the text begins with. False if it is none.
bool read_json_ad(std::string_view text, TextAd& ad);
bool read_xml_ad(std::string_view text, TextAd& ad);

/// Gives each ad to `sink`. Text in no ad is counted in `warnings`. InputError naming `file` for a
/// text that is in none of the forms. An empty text has no ads.
void read_ad_text(std::string_view text, std::string const& file, LogWarnings& warnings,
                  AdSink const& sink);

}  // namespace gridcast::condor
