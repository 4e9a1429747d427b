// The replies to a lesson's answers, for a page without a server. The reply opens only with the
// answer that it belongs to, so the page's source shows neither the right answer nor the reasons.
// This keeps a class from reading ahead. It is no protection: few answers can be tried one by one.
//
// The key of an answer is its choice in lower case ("c:b"), or the number of its step on a
// logarithmic scale of 0.1 % ("n:4605"), so that all answers within the tolerance have keys. With
// the salt s and SHA-256 H:
//   tag  = first 16 digits of H("tag:" s ":" key)       secret = 16 bytes of the reply's own
//   lock = secret xor first 16 bytes of H("key:" s ":" key)
//   box  = reply xor H(secret ":0") H(secret ":1") ...  (secret in hexadecimal digits)
#pragma once

#include "sim/base/json_fields.hpp"
#include "sim/scenario/lesson.hpp"

namespace gridcast::report {

/// {"salt", "kind": choice | time | size | number, "unit", "locks": {TAG: [BOX, LOCK]}, "boxes":
/// [HEX], "other": the reply to all other answers}. An opened box is a reply as `gridcast lesson
/// check --json` prints it; that of a right answer also has the lesson's goal.
Json sealed_answers(scenario::Lesson const& lesson);

}  // namespace gridcast::report
