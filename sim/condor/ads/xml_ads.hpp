// Ads as `condor_history -xml` prints them: <c> ads of <a n="Name"> attributes, whose values are <s>, <i>,
// <r>, <b v="t"/>, <un/>, <er/>, <at>, <rt>, <l>, <c> and, for an expression, <e>, which is undefined
// here. HTCondor, src/classad/xmlSink.cpp.
#pragma once

#include <string_view>

#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/log/read_log.hpp"

namespace gridcast::condor {

/// Gives each ad to `sink`. What is in no ad, and an ad that is cut off, is counted in `warnings`.
void read_xml_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink);

}  // namespace gridcast::condor
