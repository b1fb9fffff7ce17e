#include "core/survey/rangeHashing.h"

#include "platform/fileSystem.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <thread>

namespace stowage {

namespace {

constexpr size_t pieceBytes = size_t{1} << 20U;

} // namespace

RangeHashing::RangeHashing(std::vector<FileRange> ranges, unsigned threads)
    : ranges_(std::move(ranges)), threads_(threads), digests_(ranges_.size()) {
    if (threads_ == 0) threads_ = std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
    threads_ = static_cast<unsigned>(std::min<size_t>({threads_, 64, std::max<size_t>(ranges_.size(), 1)}));
}

void RangeHashing::run() {
    std::vector<std::jthread> threads;
    threads.reserve(threads_);
    for (unsigned i = 0; i < threads_; ++i) {
        threads.emplace_back([this] { work(); });
    }
}

void RangeHashing::work() {
    // Not a vector, whose memory begins 16 bytes past a page: see `allocateZeroedPages`.
    const std::unique_ptr<uint8_t, decltype(&platform::freePages)> buffer(
        static_cast<uint8_t*>(platform::allocateZeroedPages(pieceBytes)), platform::freePages);
    if (buffer == nullptr) throw std::bad_alloc();
    Sha256 sha;
    for (size_t index = next_.fetch_add(1); index < ranges_.size(); index = next_.fetch_add(1)) {
        if (cancelled()) return;
        Skip skip;
        const bool hashed = hash(ranges_[index], buffer.get(), sha, skip);
        const Sha256Digest digest = sha.finish();
        if (hashed) {
            digests_[index] = digest;
        } else {
            const std::scoped_lock guard(lock_);
            errors_.emplace_back(static_cast<uint32_t>(index), std::move(skip));
        }
    }
}

bool RangeHashing::hash(const FileRange& range, uint8_t* buffer, Sha256& sha, Skip& skip) {
    const auto [folderPath, name] = platform::partsOf(range.path);
    platform::Handle folder;
    platform::Handle file;
    platform::FileFacts facts;
    int error = platform::openFolder(folderPath, folder);
    if (error == 0) error = platform::openFile(folder, name.c_str(), file);
    if (error == 0) error = platform::factsOf(file, facts);
    if (error != 0) {
        skip = skipFor(error);
        if (error == ENOENT || error == ENOTDIR) skip = {SkipCode::notFound, "no such file or folder"};
        if (error == ELOOP) skip = {SkipCode::refused, "it is a symbolic link"};
        return false;
    }
    if (facts.kind != platform::FileKind::file) {
        skip = {SkipCode::specialFile, "it is not a file"};
        return false;
    }
    if (range.length > pieceBytes) platform::expectSequentialReading(file);
    const bool sparse = facts.maybeSparse();
    uint64_t dataEnd = 0;
    for (uint64_t done = 0; done < range.length;) {
        if (cancelled()) {
            skip = {SkipCode::cancelled, "cancelled"};
            return false;
        }
        const uint64_t offset = range.offset + done;
        size_t wanted = std::min<uint64_t>(pieceBytes, range.length - done);
        size_t got = 0;
        if (sparse && offset < facts.bytes) {
            uint64_t dataStart = offset;
            if (offset >= dataEnd) error = platform::nextData(file, offset, facts.bytes, dataStart, dataEnd);
            if (error == 0 && dataStart > offset) {
                // A hole is not read: its zeros are known.
                wanted = std::min<uint64_t>(wanted, std::min(dataStart, facts.bytes) - offset);
                sha.zeros(wanted);
                done += wanted;
                bytesDone_.fetch_add(wanted, std::memory_order_relaxed);
                dataEnd = 0;
                continue;
            }
            if (dataEnd > offset) wanted = std::min<uint64_t>(wanted, dataEnd - offset);
        }
        if (error == 0) error = platform::readAt(file, offset, buffer, wanted, got);
        if (error != 0) {
            skip = skipFor(error);
            return false;
        }
        if (got < wanted) {
            skip = {SkipCode::changed, "it is shorter than expected"};
            return false;
        }
        sha.data(buffer, got);
        done += got;
        bytesDone_.fetch_add(got, std::memory_order_relaxed);
    }
    return true;
}

} // namespace stowage
