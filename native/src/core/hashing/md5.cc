#include "core/hashing/md5.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stowage {

namespace {

using State = std::array<uint32_t, 4>;

constexpr State initial = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
constexpr size_t group = 64;

/** floor(2^32 |sin(i + 1)|), RFC 1321. */
constexpr std::array<uint32_t, 64> sines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr std::array<std::array<int, 4>, 4> shifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

template <size_t at> constexpr size_t wordOf() {
    constexpr std::array<std::pair<size_t, size_t>, 4> walks = {{{1, 0}, {5, 1}, {3, 5}, {7, 0}}};
    return (walks[at / 16].first * (at % 16) + walks[at / 16].second) % 16;
}

template <size_t at> [[gnu::always_inline]] inline void step(State& state, uint32_t word) {
    uint32_t& a = state[(64 - at) % 4];
    const uint32_t b = state[(65 - at) % 4];
    const uint32_t c = state[(66 - at) % 4];
    const uint32_t d = state[(67 - at) % 4];
    uint32_t mixed = a + sines[at] + word;
    // The second round's two parts share no bit, so that they are added: `d` is there first.
    if constexpr (at < 16)
        mixed += d ^ (b & (c ^ d));
    else if constexpr (at < 32)
        mixed = mixed + (c & ~d) + (b & d);
    else if constexpr (at < 48)
        mixed += c ^ d ^ b;
    else
        mixed += c ^ (b | ~d);
    a = b + std::rotl(mixed, shifts[at / 16][at % 4]);
}

uint32_t wordAt(const uint8_t* bytes) {
    uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap32(word);
    return word;
}

template <size_t... at>
[[gnu::always_inline]] inline void steps(State& one, const uint8_t* bytes, std::index_sequence<at...>) {
    (step<at>(one, wordAt(bytes + 4 * wordOf<at>())), ...);
}

template <size_t... at>
[[gnu::always_inline]] inline void steps(State& one, State& other, const uint8_t* bytes,
                                         std::index_sequence<at...>) {
    ((step<at>(one, wordAt(bytes + 4 * wordOf<at>())), step<at>(other, wordAt(bytes + 4 * wordOf<at>()))),
     ...);
}

void add(State& to, const State& from) {
    for (size_t at = 0; at < to.size(); ++at)
        to[at] += from[at];
}

void mix(State& state, const uint8_t* bytes, size_t groups) {
    for (; groups > 0; --groups, bytes += group) {
        State next = state;
        steps(next, bytes, std::make_index_sequence<64>());
        add(state, next);
    }
}

void mixBoth(State& one, State& other, const uint8_t* bytes, size_t groups) {
    State first = one;
    State second = other;
    for (; groups > 0; --groups, bytes += group) {
        const State firstBefore = first;
        const State secondBefore = second;
        steps(first, second, bytes, std::make_index_sequence<64>());
        add(first, firstBefore);
        add(second, secondBefore);
    }
    one = first;
    other = second;
}

/** The end of a message of `length` bytes whose last ones, less than a group, are `rest`. */
Md5Digest finished(State state, const uint8_t* rest, size_t restLength, uint64_t length) {
    std::array<uint8_t, 2 * group> last{};
    std::copy_n(rest, restLength, last.begin());
    last[restLength] = 0x80;
    const size_t groups = restLength < group - 8 ? 1 : 2;
    for (size_t byte = 0; byte < 8; ++byte)
        last[groups * group - 8 + byte] = static_cast<uint8_t>(length * 8 >> (8 * byte) & 0xff);
    mix(state, last.data(), groups);
    Md5Digest digest{};
    for (size_t byte = 0; byte < digest.size(); ++byte)
        digest[byte] = static_cast<uint8_t>(state[byte / 4] >> (8 * (byte % 4)) & 0xff);
    return digest;
}

} // namespace

Md5Pair::Md5Pair() : file_(initial), block_(initial) {}

void Md5Pair::data(const uint8_t* bytes, size_t length) {
    fileLength_ += length;
    blockLength_ += length;
    if (restLength_ > 0) {
        const size_t part = std::min(length, group - restLength_);
        std::copy_n(bytes, part, rest_.begin() + static_cast<std::ptrdiff_t>(restLength_));
        restLength_ += part;
        if (restLength_ < group) return;
        mixBoth(file_, block_, rest_.data(), 1);
        bytes += part;
        length -= part;
    }
    mixBoth(file_, block_, bytes, length / group);
    restLength_ = length % group;
    std::copy_n(bytes + length - restLength_, restLength_, rest_.begin());
}

Md5Digest Md5Pair::finishBlock(uint64_t zeros) {
    State state = block_;
    const uint64_t length = blockLength_ + zeros;
    std::array<uint8_t, group> rest{};
    size_t restLength = restLength_;
    std::copy_n(rest_.begin(), restLength, rest.begin());
    if (restLength > 0 && restLength + zeros >= group) {
        mix(state, rest.data(), 1);
        zeros -= group - restLength;
        rest.fill(0);
        restLength = 0;
    }
    constexpr std::array<uint8_t, group> empty{};
    for (; zeros >= group; zeros -= group)
        mix(state, empty.data(), 1);
    block_ = initial;
    blockLength_ = 0;
    return finished(state, rest.data(), restLength + zeros, length);
}

Md5Digest Md5Pair::finishFile() {
    const Md5Digest digest = finished(file_, rest_.data(), restLength_, fileLength_);
    *this = Md5Pair();
    return digest;
}

Md5Digest md5(const uint8_t* bytes, size_t length) {
    State state = initial;
    mix(state, bytes, length / group);
    return finished(state, bytes + length / group * group, length % group, length);
}

} // namespace stowage
