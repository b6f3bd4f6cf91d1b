// Numbers below 1e-38, doubles below 2e-308 (denormals), count as zero while a scope lasts, on its thread. Some
// processors, among them Intel's, compute with such numbers many times slower than with others, and gradients of a long
// solve contain some.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace lgode::ops {

class FlushDenormals {
 public:
  FlushDenormals() : before_(get()) { set(before_ | kFlush); }
  ~FlushDenormals() { set(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  using Control = unsigned;
  static constexpr Control kFlush = 0x8040;  // results (FTZ) and operands (DAZ)
  static Control get() { return _mm_getcsr(); }
  static void set(Control control) {
    asm volatile("" : : : "memory");  // the compiler moves no work on numbers in memory across it
    _mm_setcsr(control);
    asm volatile("" : : : "memory");
  }
#elif defined(__aarch64__)
  using Control = std::uint64_t;
  static constexpr Control kFlush = Control{1} << 24;  // FZ
  static Control get() {
    Control control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
    return control;
  }
  static void set(Control control) { asm volatile("msr fpcr, %0" : : "r"(control) : "memory"); }
#else
  using Control = unsigned;
  static constexpr Control kFlush = 0;
  static Control get() { return 0; }
  static void set(Control) {}
#endif

  const Control before_;
};

}  // namespace lgode::ops
