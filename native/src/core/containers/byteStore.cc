#include "core/containers/byteStore.h"

#include "core/containers/containerError.h"

#include <algorithm>
#include <cerrno>

namespace stowage::containers {

FileStore::FileStore(platform::Handle file, std::string what)
    : file_(std::move(file)), what_(std::move(what)) {
    platform::FileFacts facts;
    checkSystem(platform::factsOf(file_, facts), what_);
    bytes_ = facts.bytes;
}

void FileStore::read(uint64_t offset, uint8_t* into, size_t length) {
    size_t got = 0;
    if (offset <= bytes_ && length <= bytes_ - offset) {
        checkSystem(platform::readAt(file_, offset, into, length, got), what_);
    }
    if (got < length) damaged(what_ + " is cut off");
}

void FileStore::write(uint64_t offset, const uint8_t* from, size_t length) {
    checkSystem(platform::writeAt(file_, offset, from, length), what_);
    bytes_ = std::max(bytes_, offset + length);
}

void FileStore::resize(uint64_t bytes) {
    checkSystem(platform::resizeFile(file_, bytes), what_);
    bytes_ = bytes;
}

void FileStore::flush() {
    checkSystem(platform::syncFile(file_), what_);
}

void FileStore::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    checkSystem(platform::nextData(file_, offset, bytes_, start, end), what_);
}

bool FileStore::punch(uint64_t offset, uint64_t length) {
    const int error = platform::punchHole(file_, offset, length);
    if (error == ENOTSUP) return false;
    checkSystem(error, what_);
    return true;
}

void FileStore::expectReading(uint64_t offset, uint64_t length) {
    platform::expectReading(file_, offset, length);
}

uint64_t FileStore::allocatedBytes() const {
    platform::FileFacts facts;
    checkSystem(platform::factsOf(file_, facts), what_);
    return facts.allocatedBytes;
}

} // namespace stowage::containers
