#include "core/hashing/blockHash.h"

#include "core/processorLevel.h"

#include <algorithm>
#include <cstring>
#include <vector>

extern "C" {
void stowageHashBlocksPortable(const uint8_t* data, size_t blockBytes, size_t count, stowage::Hash128* out);
#ifdef STOWAGE_HASH_AVX
void stowageHashBlocksAvx2(const uint8_t* data, size_t blockBytes, size_t count, stowage::Hash128* out);
void stowageHashBlocksAvx512(const uint8_t* data, size_t blockBytes, size_t count, stowage::Hash128* out);
#endif
}

namespace stowage {

namespace {

std::vector<BlockHashVariant> runnableVariants() {
    std::vector<BlockHashVariant> variants;
#ifdef STOWAGE_HASH_AVX
    const ProcessorLevel level = processorLevel();
    if (level >= ProcessorLevel::avx512) variants.push_back({"avx512", stowageHashBlocksAvx512});
    if (level >= ProcessorLevel::avx2) variants.push_back({"avx2", stowageHashBlocksAvx2});
#endif
    variants.push_back({"portable", stowageHashBlocksPortable});
    return variants;
}

} // namespace

std::span<const BlockHashVariant> blockHashVariants() {
    static const std::vector<BlockHashVariant> variants = runnableVariants();
    return variants;
}

BlockHasher fastestBlockHasher() {
    return blockHashVariants().front().hash;
}

bool isZero(const uint8_t* data, size_t bytes) {
    constexpr size_t head = 16;
    if (bytes <= head) return std::all_of(data, data + bytes, [](uint8_t byte) { return byte == 0; });
    constexpr uint8_t zeros[head] = {};
    // A block that equals itself shifted by its zero head is all zeros; the head alone answers for
    // most blocks.
    return std::memcmp(data, zeros, head) == 0 && std::memcmp(data, data + head, bytes - head) == 0;
}

} // namespace stowage
