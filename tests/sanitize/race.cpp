// A deliberate race: two threads of one parallel loop write to the same variable. ThreadSanitizer must report it;
// otherwise the annotations and suppressions hide too much.
#include <cstdio>

#include "ops/parallel.h"

int main() {
  at::set_num_threads(2);
  long sum = 0;
  for (int round = 0; round < 100; ++round)
    lgode::ops::parallel_for(0, 2, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) sum = sum + i;
    });
  std::printf("%ld\n", sum);
  return 0;
}
