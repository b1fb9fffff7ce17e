#include "core/containers/container.h"

#include "core/hashing/blockHash.h"

#include <algorithm>

namespace stowage::containers {

namespace {} // namespace

const char* kindName(ContainerKind kind) {
    switch (kind) {
    case ContainerKind::readWriteImage:
        return "UDRW";
    case ContainerKind::sparseImage:
        return "UDSP";
    case ContainerKind::sparseBundle:
        return "UDSB";
    case ContainerKind::compressedImage:
        return "UDIF";
    }
    return "";
}

void checkDiskSize(uint64_t bytes) {
    if (bytes == 0 || bytes % sectorBytes != 0 || bytes > static_cast<uint64_t>(INT64_MAX)) {
        fail(Fault::usage, "a disk's size must be a multiple of 512 bytes below 2^63");
    }
}

void Container::requireWritable() const {
    if (!isWritable()) fail(Fault::refused, "it was opened for reading only");
}

void Container::read(uint64_t offset, uint8_t* into, size_t length) {
    if (offset > bytes() || length > bytes() - offset) fail(Fault::usage, "the range is not within the disk");
    if (length > 0) readRange(offset, into, length);
}

void Container::write(uint64_t offset, const uint8_t* from, size_t length) {
    requireWritable();
    if (offset > bytes() || length > bytes() - offset) fail(Fault::usage, "the range is not within the disk");
    if (length > 0) writeRange(offset, from, length);
}

void Container::resize(uint64_t newBytes, Task& task) {
    requireWritable();
    checkDiskSize(newBytes);
    if (newBytes == bytes()) return;
    if (newBytes < bytes()) {
        const uint64_t end = contentEnd(newBytes, task);
        if (end > newBytes) {
            fail(Fault::cannotFit, "it holds data up to byte " + std::to_string(end) + " of the disk");
        }
    }
    flush();
    changeSize(newBytes, task);
}

uint64_t Container::contentEnd(uint64_t from, Task& task) {
    std::vector<uint8_t> piece(pieceBytes);
    uint64_t found = from;
    uint64_t start = 0;
    uint64_t end = 0;
    for (nextData(from, start, end); start < end; nextData(end, start, end)) {
        for (uint64_t at = start; at < end; at += pieceBytes) {
            const auto length = static_cast<size_t>(std::min<uint64_t>(pieceBytes, end - at));
            task.check();
            readRange(at, piece.data(), length);
            size_t last = length;
            while (last > 0 && piece[last - 1] == 0)
                --last;
            if (last > 0) found = at + last;
        }
    }
    return found;
}

uint64_t Container::readAll(Task& task) {
    std::vector<uint8_t> piece(pieceBytes);
    uint64_t bytesRead = 0;
    uint64_t seen = 0;
    uint64_t start = 0;
    uint64_t end = 0;
    task.expect(bytes());
    for (nextData(0, start, end); start < end; nextData(end, start, end)) {
        for (uint64_t at = start; at < end; at += pieceBytes) {
            const auto length = static_cast<size_t>(std::min<uint64_t>(pieceBytes, end - at));
            readRange(at, piece.data(), length);
            bytesRead += length;
            task.advance(at + length - seen);
            seen = at + length;
        }
    }
    task.advance(bytes() - seen);
    return bytesRead;
}

} // namespace stowage::containers
