#include "core/containers/compressed/deflateStream.h"

#include "core/containers/containerError.h"

#include <zlib.h>

#include <limits>
#include <new>

namespace stowage::containers {

namespace {

/** No header and no checksum around the stream. */
constexpr int bareWindowBits = -15;
/** The level of memory that `deflateInit` takes. */
constexpr int memoryLevel = 8;
constexpr size_t roomBytes = size_t{64} * 1024;

} // namespace

struct DeflateStream::State {
    z_stream stream{};
};

DeflateStream::DeflateStream() : state_(std::make_unique<State>()) {
    const int result = deflateInit2(&state_->stream, Z_BEST_COMPRESSION, Z_DEFLATED, bareWindowBits,
                                    memoryLevel, Z_DEFAULT_STRATEGY);
    if (result != Z_OK) throw std::bad_alloc();
}

DeflateStream::~DeflateStream() {
    deflateEnd(&state_->stream);
}

std::vector<uint8_t> DeflateStream::add(const uint8_t* bytes, size_t length, bool isLast) {
    if (ended_) fail(Fault::usage, "the stream has ended");
    if (length > std::numeric_limits<uInt>::max()) fail(Fault::usage, "a piece has at most 4 GiB");
    // Without bytes zlib takes the address for the wish to begin.
    if (length > 0) crc32_ = static_cast<uint32_t>(crc32_z(crc32_, bytes, length));
    z_stream& stream = state_->stream;
    // zlib reads only, but its type is older than const.
    stream.next_in = const_cast<Bytef*>(bytes); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    stream.avail_in = static_cast<uInt>(length);
    std::vector<uint8_t> out;
    do {
        const size_t before = out.size();
        out.resize(before + roomBytes);
        stream.next_out = out.data() + before;
        stream.avail_out = static_cast<uInt>(roomBytes);
        deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    ended_ = isLast;
    return out;
}

} // namespace stowage::containers
