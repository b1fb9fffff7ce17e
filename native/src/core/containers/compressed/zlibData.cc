#include "core/containers/compressed/zlibData.h"

#include "core/containers/containerError.h"

#include <zlib.h>

#include <new>

namespace stowage::containers {

void deflateTo(const uint8_t* from, size_t bytes, int level, std::vector<uint8_t>& into) {
    into.resize(compressBound(static_cast<uLong>(bytes)));
    auto length = static_cast<uLongf>(into.size());
    const int result = compress2(into.data(), &length, from, static_cast<uLong>(bytes), level);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK) fail(Fault::usage, "a level of zlib goes from 1 to 9");
    into.resize(length);
}

bool inflateTo(const uint8_t* from, size_t length, uint8_t* into, size_t bytes) {
    auto got = static_cast<uLongf>(bytes);
    const int result = uncompress(into, &got, from, static_cast<uLong>(length));
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    return result == Z_OK && got == bytes;
}

uint32_t crc32Of(uint32_t before, const uint8_t* bytes, size_t length) {
    return static_cast<uint32_t>(crc32_z(before, bytes, length));
}

uint32_t crc32OfZeros(uint32_t before, uint64_t length) {
    // The sum of twice as many zeros follows from the sum of some.
    const uint8_t zero = 0;
    uLong run = crc32_z(0, &zero, 1);
    uLong sum = before;
    for (uint64_t bytes = 1; length > 0; length >>= 1U) {
        if (length % 2 != 0) sum = crc32_combine(sum, run, static_cast<z_off_t>(bytes));
        run = crc32_combine(run, run, static_cast<z_off_t>(bytes));
        bytes *= 2;
    }
    return static_cast<uint32_t>(sum);
}

} // namespace stowage::containers
