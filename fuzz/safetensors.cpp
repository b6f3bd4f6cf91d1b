// Fuzzes data set files; everything can be read from a set that was accepted.
#include "lgode/core/safetensors.h"

#include <cstdlib>

#include "lgode/data/dataset.h"
#include "memory_file.h"
#include "target.h"

void lgode::fuzz::run(std::string_view input) {
  const MemoryFile file(input);
  const data::Dataset dataset = data::load_dataset(file.path());
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    dataset.system_id(s);
    for (std::int64_t i = 0; i < dataset.objects_of(s); ++i) dataset.object_id(s, i);
    for (std::int64_t e = 0; e < dataset.relations_of(s); ++e) dataset.relation(dataset.first_relation(s) + e);
  }
  if (!dataset.has_fingerprint(dataset.fingerprint())) std::abort();
}
