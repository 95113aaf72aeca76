// Rules::check() allocates nothing: every operator new of this binary counts while a test looks.
#include "tests/robots/rules_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

thread_local bool counting = false;
thread_local int allocations = 0;

void* allocate(std::size_t size, const std::nothrow_t&) noexcept {
  if (counting) ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size) {
  void* const memory = allocate(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t& tag) noexcept {
  return allocate(size, tag);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return allocate(size, tag);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace robots {
namespace {

int count(const Rules& rules, const std::string& target) {
  allocations = 0;
  counting = true;
  const bool allowed = rules.check(target).allowed;
  counting = false;
  EXPECT_FALSE(allowed) << "all that is here forbids";
  return allocations;
}

TEST(NoAllocation, TheCounterCounts) {
  allocations = 0;
  counting = true;
  const auto something = std::make_unique<std::string>("counted");
  counting = false;
  EXPECT_GT(allocations, 0);
}

TEST(NoAllocation, InAnyKindOfFile) {
  EXPECT_EQ(count(everyone("Disallow: /"), "/a"), 0);
  EXPECT_EQ(count(everyone("Disallow: /caf%c3%a9"), "/caf\xC3\xA9"), 0);
  EXPECT_EQ(count(everyone("Disallow: /*x*y$"), "/" + std::string(8'000, 'x') + "y"), 0);
  EXPECT_EQ(count(everyone("Disallow: /*%22b"), "/" + std::string(8'190, '"') + "b"), 0);
  EXPECT_EQ(
      count(everyone("Robot-version: 2.0\nDisallow: /*[a-c]?x*"), "/" + std::string(8'000, 'b') + "zx1"), 0);
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += "Disallow: /*a*b" + std::to_string(i) + "\n";
  EXPECT_EQ(count(everyone(many), "/" + std::string(8'000, 'a') + "0123456789b999"), 0)
      << "through the SegmentIndex";
}

}  // namespace
}  // namespace robots
