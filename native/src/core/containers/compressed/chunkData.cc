#include "core/containers/compressed/chunkData.h"

#include "core/containers/compressed/bzip2Data.h"
#include "core/containers/compressed/zlibData.h"

#include <lzma.h>

#include <new>

namespace stowage::containers {

namespace {

/** hdiutil's dictionaries hold a chunk: far less. */
constexpr uint64_t mostLzmaMemory = uint64_t{256} << 20U;

bool unxzTo(const uint8_t* from, size_t length, uint8_t* into, size_t bytes) {
    uint64_t memory = mostLzmaMemory;
    size_t used = 0;
    size_t got = 0;
    const lzma_ret result =
        lzma_stream_buffer_decode(&memory, 0, nullptr, from, &used, length, into, &got, bytes);
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    return result == LZMA_OK && used == length && got == bytes;
}

} // namespace

bool canDecompress(ChunkMethod method) {
    return method == ChunkMethod::zlib || method == ChunkMethod::bzip2 || method == ChunkMethod::xz;
}

bool decompressTo(ChunkMethod method, const uint8_t* from, size_t length, uint8_t* into, size_t bytes) {
    switch (method) {
    case ChunkMethod::zlib:
        return inflateTo(from, length, into, bytes);
    case ChunkMethod::bzip2:
        return bunzipTo(from, length, into, bytes);
    case ChunkMethod::xz:
        return unxzTo(from, length, into, bytes);
    default:
        return false;
    }
}

} // namespace stowage::containers
