#pragma once

#include <cstdint>

namespace stowage {

/**
 * Instruction sets that some kernels are built for, each with all before it that its kind of
 * processor has.
 */
enum class ProcessorLevel : uint8_t { portable, neon, avx2, avx512 };

/**
 * The lower of `supported` and the level that `wanted` names: `portable`, `neon`, `avx2` or
 * `avx512`. Null and the empty text name none. Throws std::invalid_argument for any other name.
 */
ProcessorLevel levelWithin(const char* wanted, ProcessorLevel supported);

/**
 * The level of this process: what the processor and the operating system support, within what the
 * environment variable STOWAGE_CPU names. Results are the same at every level. Throws like
 * `levelWithin`.
 */
ProcessorLevel processorLevel();

} // namespace stowage
