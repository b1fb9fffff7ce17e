#include "core/sketches/fileRecord.h"

namespace stowage {

namespace {

constexpr uint64_t wholeFlag = 1;
constexpr uint64_t chunksFlag = 2;
constexpr uint64_t zerosFlag = 4;

void append(std::string& to, uint64_t number) {
    for (; number >= 0x80; number >>= 7U)
        to.push_back(static_cast<char>(number | 0x80));
    to.push_back(static_cast<char>(number));
}

bool read(std::string_view from, size_t& at, uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64 && at < from.size(); shift += 7) {
        const auto byte = static_cast<uint8_t>(from[at++]);
        number |= static_cast<uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

bool readZeros(std::string_view from, size_t& at, const SketchTerms& terms, FileRecord& record) {
    uint64_t count = 0;
    if (!read(from, at, count) || count > terms.blockLevels()) return false;
    for (; count > 0; --count) {
        uint64_t level = 0;
        FileRecord::Zeros zeros;
        if (!read(from, at, level) || !read(from, at, zeros.blocks) || !read(from, at, zeros.bytes) ||
            level >= terms.blockLevels() || zeros.bytes > record.bytes) {
            return false;
        }
        zeros.level = static_cast<uint32_t>(level);
        record.zeros.push_back(zeros);
    }
    return true;
}

} // namespace

void appendRecord(std::string& to, const FileRecord& record) {
    append(to, record.file);
    append(to, record.bytes);
    append(to, (record.whole ? wholeFlag : 0) | (record.chunks.empty() ? 0 : chunksFlag) |
                   (record.zeros.empty() ? 0 : zerosFlag));
    for (const uint64_t chunks : record.chunks)
        append(to, chunks);
    if (record.zeros.empty()) return;
    append(to, record.zeros.size());
    for (const FileRecord::Zeros& zeros : record.zeros) {
        append(to, zeros.level);
        append(to, zeros.blocks);
        append(to, zeros.bytes);
    }
}

bool readRecord(std::string_view from, size_t& at, const SketchTerms& terms, FileRecord& record) {
    uint64_t file = 0;
    uint64_t flags = 0;
    record = {};
    if (!read(from, at, file) || !read(from, at, record.bytes) || !read(from, at, flags)) return false;
    if (file >= UINT32_MAX || flags > (wholeFlag | chunksFlag | zerosFlag)) return false;
    record.file = static_cast<uint32_t>(file);
    record.whole = (flags & wholeFlag) != 0;
    if ((flags & chunksFlag) != 0) {
        record.chunks.resize(terms.profiles.size());
        for (uint64_t& chunks : record.chunks) {
            if (!read(from, at, chunks) || chunks > record.bytes) return false;
        }
    }
    return (flags & zerosFlag) == 0 || readZeros(from, at, terms, record);
}

} // namespace stowage
