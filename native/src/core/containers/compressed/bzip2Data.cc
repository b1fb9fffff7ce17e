#include "core/containers/compressed/bzip2Data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace stowage::containers {

namespace {

constexpr uint64_t blockMagic = 0x314159265359;
constexpr uint64_t endMagic = 0x177245385090;
constexpr size_t levelBytes = 100000;
constexpr unsigned mostCodeBits = 20;
constexpr unsigned mostSymbols = 258;
constexpr unsigned mostTables = 6;
constexpr unsigned symbolsOfSelector = 50;

/** Thrown within this file by what does not make sense. */
struct Damaged {};

void require(bool isRight) {
    if (!isRight) throw Damaged{};
}

constexpr std::array<uint32_t, 256> crcTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < table.size(); ++byte) {
        uint32_t sum = byte << 24U;
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum << 1U) ^ ((sum >> 31U) != 0 ? 0x04C11DB7U : 0U);
        table[byte] = sum;
    }
    return table;
}();

/** Bits from the highest of each byte on. */
class BitReader {
  public:
    BitReader(const uint8_t* from, size_t length) : from_(from), left_(length) {}

    /** @param count at most 48 */
    uint64_t bits(unsigned count) {
        while (held_ < count) {
            require(left_ > 0);
            buffer_ = (buffer_ << 8U) | *from_++;
            --left_;
            held_ += 8;
        }
        held_ -= count;
        return (buffer_ >> held_) & ((uint64_t{1} << count) - 1);
    }
    uint32_t number(unsigned count) { return static_cast<uint32_t>(bits(count)); }
    bool bit() { return bits(1) != 0; }
    void toNextByte() { held_ -= held_ % 8; }
    [[nodiscard]] bool atEnd() const { return left_ == 0 && held_ == 0; }

  private:
    const uint8_t* from_;
    size_t left_;
    uint64_t buffer_ = 0;
    unsigned held_ = 0;
};

/** A canonical Huffman code. */
class CodeTable {
  public:
    void read(BitReader& in, unsigned symbols) {
        std::array<unsigned, mostSymbols> lengths{};
        unsigned length = in.number(5);
        for (unsigned symbol = 0; symbol < symbols; ++symbol) {
            require(length >= 1 && length <= mostCodeBits);
            while (in.bit()) {
                length = in.bit() ? length - 1 : length + 1;
                require(length >= 1 && length <= mostCodeBits);
            }
            lengths[symbol] = length;
        }
        counts_.fill(0);
        for (unsigned symbol = 0; symbol < symbols; ++symbol)
            ++counts_[lengths[symbol]];
        unsigned place = 0;
        for (unsigned bits = 1; bits <= mostCodeBits; ++bits) {
            for (unsigned symbol = 0; symbol < symbols; ++symbol)
                if (lengths[symbol] == bits) order_[place++] = static_cast<uint16_t>(symbol);
        }
    }

    unsigned decode(BitReader& in) const {
        unsigned code = 0;
        unsigned first = 0;
        unsigned place = 0;
        for (unsigned bits = 1; bits <= mostCodeBits; ++bits) {
            code |= in.bit() ? 1U : 0U;
            if (code >= first && code - first < counts_[bits]) return order_[place + code - first];
            place += counts_[bits];
            first = (first + counts_[bits]) << 1U;
            code <<= 1U;
        }
        throw Damaged{};
    }

  private:
    std::array<unsigned, mostCodeBits + 1> counts_{};
    std::array<uint16_t, mostSymbols> order_{};
};

/** The value at a place comes to the front. */
template <typename List> auto toFront(List& list, size_t place) {
    std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(place),
                list.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    return list[0];
}

class StreamReader {
  public:
    StreamReader(const uint8_t* from, size_t length, uint8_t* into, size_t bytes)
        : in_(from, length), into_(into), room_(bytes) {}

    void readAll() {
        while (!in_.atEnd())
            readStream();
        require(room_ == 0);
    }

  private:
    void readStream() {
        require(in_.bits(24) == 0x425A68);
        const unsigned level = in_.number(8) - '0';
        require(level >= 1 && level <= 9);
        mostInBlock_ = level * levelBytes;
        uint32_t all = 0;
        for (;;) {
            const uint64_t magic = in_.bits(48);
            const uint32_t expected = in_.number(32);
            if (magic == endMagic) {
                require(all == expected);
                in_.toNextByte();
                return;
            }
            require(magic == blockMagic);
            readBlock();
            const uint32_t sum = writeBlock();
            require(sum == expected);
            all = std::rotl(all, 1) ^ sum;
        }
    }

    void readBlock() {
        require(!in_.bit());
        origin_ = in_.number(24);
        readUsedBytes();
        const unsigned symbols = static_cast<unsigned>(used_.size()) + 2;
        const unsigned tables = in_.number(3);
        require(tables >= 2 && tables <= mostTables);
        readSelectors(tables);
        for (unsigned i = 0; i < tables; ++i)
            tables_[i].read(in_, symbols);
        readSymbols(symbols - 1);
        require(origin_ < block_.size());
    }

    void readUsedBytes() {
        const uint32_t groups = in_.number(16);
        used_.clear();
        for (unsigned group = 0; group < 16; ++group) {
            if ((groups >> (15 - group) & 1U) == 0) continue;
            const uint32_t members = in_.number(16);
            for (unsigned member = 0; member < 16; ++member)
                if ((members >> (15 - member) & 1U) != 0)
                    used_.push_back(static_cast<uint8_t>(16 * group + member));
        }
        require(!used_.empty());
    }

    void readSelectors(unsigned tables) {
        std::array<uint8_t, mostTables> front{0, 1, 2, 3, 4, 5};
        selectors_.resize(in_.number(15));
        require(!selectors_.empty());
        for (uint8_t& selector : selectors_) {
            unsigned place = 0;
            while (in_.bit())
                require(++place < tables);
            selector = toFront(front, place);
        }
    }

    void add(uint8_t byte, size_t count) {
        require(count <= mostInBlock_ - block_.size());
        block_.insert(block_.end(), count, byte);
    }

    /** Undoes the Huffman codes, the runs of the front value, and the moves to the front. */
    void readSymbols(unsigned endOfBlock) {
        block_.clear();
        size_t run = 0;
        size_t weight = 1;
        for (const uint8_t selector : selectors_) {
            for (unsigned i = 0; i < symbolsOfSelector; ++i) {
                const unsigned symbol = tables_[selector].decode(in_);
                if (symbol <= 1) {
                    require(weight <= mostInBlock_);
                    run += weight << symbol;
                    weight <<= 1U;
                    continue;
                }
                if (run > 0) add(used_[0], run);
                run = 0;
                weight = 1;
                if (symbol == endOfBlock) return;
                add(toFront(used_, symbol - 1), 1);
            }
        }
        throw Damaged{};
    }

    /** Undoes the Burrows-Wheeler transform and the runs of four and more. @returns the checksum */
    uint32_t writeBlock() {
        std::array<uint32_t, 256> starts{};
        for (const uint8_t byte : block_)
            ++starts[byte];
        uint32_t before = 0;
        for (uint32_t& start : starts)
            before += std::exchange(start, before);
        next_.resize(block_.size());
        for (uint32_t place = 0; place < block_.size(); ++place)
            next_[starts[block_[place]]++] = place;
        uint32_t sum = 0xFFFFFFFF;
        uint32_t place = next_[origin_];
        unsigned equal = 0;
        uint8_t last = 0;
        for (size_t i = 0; i < block_.size(); ++i, place = next_[place]) {
            const uint8_t byte = block_[place];
            if (equal == 4) {
                put(last, size_t{byte}, sum);
                equal = 0;
                continue;
            }
            equal = equal > 0 && byte == last ? equal + 1 : 1;
            last = byte;
            put(byte, 1, sum);
        }
        return ~sum;
    }

    void put(uint8_t value, size_t times, uint32_t& sum) {
        require(times <= room_);
        room_ -= times;
        for (; times > 0; --times) {
            *into_++ = value;
            sum = (sum << 8U) ^ crcTable[(sum >> 24U) ^ value];
        }
    }

    BitReader in_;
    uint8_t* into_;
    size_t room_;
    size_t mostInBlock_ = 0;
    uint32_t origin_ = 0;
    std::vector<uint8_t> used_;
    std::vector<uint8_t> selectors_;
    std::array<CodeTable, mostTables> tables_{};
    std::vector<uint8_t> block_;
    std::vector<uint32_t> next_;
};

} // namespace

bool bunzipTo(const uint8_t* from, size_t length, uint8_t* into, size_t bytes) {
    try {
        StreamReader(from, length, into, bytes).readAll();
        return true;
    } catch (const Damaged&) {
        return false;
    }
}

} // namespace stowage::containers
