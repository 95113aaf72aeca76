#pragma once
// Counts what a benchmark takes from the heap. Replaces operator new, so at most one file of a program
// includes it.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace bench {
inline std::uint64_t allocations = 0;  ///< since the start; benchmarks have one thread
}  // namespace bench

void* operator new(std::size_t size) {
  ++bench::allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace bench {

/// Runs `step` as often as the benchmark asks, and tells how many allocations one step makes.
template <class Step>
void measure(benchmark::State& state, Step step) {
  step();  // what is allocated once for all does not count
  const std::uint64_t before = allocations;
  for (auto _ : state) step();
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
}

}  // namespace bench
