#include "core/processorLevel.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace stowage {

namespace {

constexpr std::array<std::pair<const char*, ProcessorLevel>, 4> levelNames = {
    {{"portable", ProcessorLevel::portable},
     {"neon", ProcessorLevel::neon},
     {"avx2", ProcessorLevel::avx2},
     {"avx512", ProcessorLevel::avx512}}};

ProcessorLevel levelOfProcessor() {
#if defined(STOWAGE_HASH_AVX)
    // These ask the processor and also whether the OS saves the wider registers.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") == 0) return ProcessorLevel::portable;
    return __builtin_cpu_supports("avx512f") != 0 ? ProcessorLevel::avx512 : ProcessorLevel::avx2;
#elif defined(STOWAGE_HASH_NEON)
    return ProcessorLevel::neon;
#else
    return ProcessorLevel::portable;
#endif
}

} // namespace

ProcessorLevel levelWithin(const char* wanted, ProcessorLevel supported) {
    if (wanted == nullptr || *wanted == '\0') return supported;
    for (const auto& [name, level] : levelNames)
        if (std::string(name) == wanted) return std::min(level, supported);
    throw std::invalid_argument("STOWAGE_CPU takes portable, neon, avx2 or avx512, not \"" +
                                std::string(wanted) + '"');
}

ProcessorLevel processorLevel() {
    static const ProcessorLevel level = levelWithin(std::getenv("STOWAGE_CPU"), levelOfProcessor());
    return level;
}

} // namespace stowage
