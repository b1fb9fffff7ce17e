#include "core/containers/compressed/deflateStream.h"
#include "core/containers/compressed/zlibData.h"
#include "core/containers/containerError.h"

#include <gtest/gtest.h>

#include <zlib.h>

#include <random>

namespace stowage::containers {

namespace {

using Bytes = std::vector<uint8_t>;

/** Words of which some repeat, then noise. */
Bytes content(size_t length) {
    std::mt19937_64 random(7);
    Bytes bytes(length);
    for (size_t at = 0; at < length; ++at) {
        const bool repeats = at > 5000 && at < length / 2 && random() % 8 != 0;
        bytes[at] = repeats ? bytes[at - 1 - random() % 3] : static_cast<uint8_t>(random());
    }
    return bytes;
}

Bytes inPieces(const Bytes& from, size_t pieceBytes, DeflateStream& stream) {
    Bytes all;
    for (size_t at = 0; at < from.size(); at += pieceBytes) {
        const Bytes next = stream.add(from.data() + at, std::min(pieceBytes, from.size() - at), false);
        all.insert(all.end(), next.begin(), next.end());
    }
    const Bytes last = stream.add(nullptr, 0, true);
    all.insert(all.end(), last.begin(), last.end());
    return all;
}

Bytes inflated(const Bytes& from, size_t length) {
    Bytes into(length + 1);
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) return {};
    Bytes copy = from;
    stream.next_in = copy.data();
    stream.avail_in = static_cast<uInt>(copy.size());
    stream.next_out = into.data();
    stream.avail_out = static_cast<uInt>(into.size());
    const int result = inflate(&stream, Z_FINISH);
    into.resize(into.size() - stream.avail_out);
    inflateEnd(&stream);
    return result == Z_STREAM_END ? into : Bytes{};
}

} // namespace

TEST(DeflateStream, GivesTheSameBytesHoweverItIsCut) {
    const Bytes from = content(300'000);
    DeflateStream one;
    const Bytes whole = inPieces(from, from.size(), one);
    for (const size_t piece : {size_t{1000}, size_t{65'536}, size_t{131'072}}) {
        DeflateStream other;
        EXPECT_EQ(inPieces(from, piece, other), whole) << piece;
        EXPECT_EQ(other.crc32(), crc32Of(0, from.data(), from.size()));
    }
    EXPECT_EQ(inflated(whole, from.size()), from);
}

TEST(DeflateStream, EndsOfNothing) {
    DeflateStream stream;
    EXPECT_EQ(stream.add(nullptr, 0, true), (Bytes{3, 0}));
    EXPECT_EQ(stream.crc32(), 0U);
    EXPECT_THROW(stream.add(nullptr, 0, true), ContainerError);
}

} // namespace stowage::containers
