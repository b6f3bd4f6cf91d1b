// What a use of a run reports to the user in addition to its result. Front ends print it: the command to standard
// error, Python as warnings. Messages name options by their keys in backquotes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lgode::use {

struct Message {
  enum class Kind : std::uint8_t { kNote, kWarning };

  Kind kind = Kind::kNote;
  std::string text;  // may have several lines
};
using Messages = std::vector<Message>;

}  // namespace lgode::use
