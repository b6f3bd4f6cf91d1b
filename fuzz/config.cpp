// Fuzzes config files, with the options of a task and one option of each kind; accepted values can be written and read
// again.
#include <cstdlib>
#include <optional>

#include "lgode/core/options.h"
#include "lgode/data/task.h"
#include "memory_file.h"
#include "target.h"

namespace {

struct Fields {
  lgode::data::TaskOptions task;
  std::string text;
  bool flag = false;
  std::optional<double> number;
  std::optional<std::int64_t> count;

  void declare(lgode::OptionSet& options) {
    lgode::data::declare(options, task);
    options.add("text", &text, "text");
    options.add("flag", &flag, "flag");
    options.add("number", &number, {0.0, 1.0}, "number");
    options.add("count", &count, {1, 1000}, "count");
  }
};

}  // namespace

void lgode::fuzz::run(std::string_view input) {
  const MemoryFile file(input);
  const nlohmann::json json = read_json_file(file.path());
  Fields fields;
  OptionSet options;
  fields.declare(options);
  options.set_all(json, Source::kFile, "fuzz.json");
  Fields again;
  OptionSet copy;
  again.declare(copy);
  copy.set_all(options.to_json(), Source::kFile, "again");
  if (copy.to_json() != options.to_json()) std::abort();
}
