#include "core/reading/rangeReading.h"

#include "platform/fileSystem.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

namespace stowage {

namespace {

constexpr size_t pieceBytes = size_t{1} << 20U;

std::optional<Skip> opened(const std::string& path, platform::Handle& file, platform::FileFacts& facts) {
    const auto [folderPath, name] = platform::partsOf(path);
    platform::Handle folder;
    int error = platform::openFolder(folderPath, folder);
    if (error == 0) error = platform::openFile(folder, name.c_str(), file);
    if (error == 0) error = platform::factsOf(file, facts);
    if (error == ENOENT || error == ENOTDIR) return Skip{SkipCode::notFound, "no such file or folder"};
    if (error == ELOOP) return Skip{SkipCode::refused, "it is a symbolic link"};
    if (error != 0) return skipFor(error);
    if (facts.kind != platform::FileKind::file) return Skip{SkipCode::specialFile, "it is not a file"};
    return std::nullopt;
}

} // namespace

RangeSink passingHoles(const std::function<void(const uint8_t* bytes, size_t length)>& data) {
    static constexpr std::array<uint8_t, size_t{1} << 16U> empty{};
    const auto zeros = [data](uint64_t length) {
        for (size_t part = 0; length > 0; length -= part) {
            part = std::min<uint64_t>(length, empty.size());
            data(empty.data(), part);
        }
    };
    return {data, zeros};
}

// Not a vector, whose memory begins 16 bytes past a page: see `allocateZeroedPages`.
RangeReader::RangeReader()
    : buffer_(static_cast<uint8_t*>(platform::allocateZeroedPages(pieceBytes)),
              [](void* pages) { platform::freePages(pages); }) {
    if (buffer_ == nullptr) throw std::bad_alloc();
}

std::optional<Skip> RangeReader::read(const FileRange& range, const std::atomic<bool>& cancelled,
                                      const RangeSink& sink) {
    platform::Handle file;
    platform::FileFacts facts;
    if (std::optional<Skip> skip = opened(range.path, file, facts)) return skip;
    if (range.length > pieceBytes) platform::expectSequentialReading(file);
    const bool isSparse = facts.maybeSparse();
    int error = 0;
    uint64_t dataEnd = 0;
    for (uint64_t done = 0; done < range.length;) {
        if (cancelled.load()) return Skip{SkipCode::cancelled, "cancelled"};
        const uint64_t offset = range.offset + done;
        size_t wanted = std::min<uint64_t>(pieceBytes, range.length - done);
        if (isSparse && offset < facts.bytes) {
            uint64_t dataStart = offset;
            if (offset >= dataEnd) error = platform::nextData(file, offset, facts.bytes, dataStart, dataEnd);
            if (error == 0 && dataStart > offset) {
                wanted = std::min<uint64_t>(wanted, std::min(dataStart, facts.bytes) - offset);
                sink.zeros(wanted);
                done += wanted;
                dataEnd = 0;
                continue;
            }
            if (dataEnd > offset) wanted = std::min<uint64_t>(wanted, dataEnd - offset);
        }
        size_t got = 0;
        if (error == 0) error = platform::readAt(file, offset, buffer_.get(), wanted, got);
        if (error != 0) return skipFor(error);
        if (got < wanted) return Skip{SkipCode::changed, "it is shorter than expected"};
        sink.data(buffer_.get(), got);
        done += got;
    }
    return std::nullopt;
}

} // namespace stowage
