#include "core/containers/sparse/sparseBundle.h"

#include "core/hashing/blockHash.h"

#include <algorithm>
#include <cstring>

namespace stowage::containers {

namespace {

/** Smaller reads leave it to the system, which sees them by itself within a band. */
constexpr size_t leastFetch = size_t{256} << 10U;
constexpr const char* infoName = "Info.plist";
constexpr const char* copyName = "Info.bckup";

std::string readText(const platform::Handle& folder, const char* name) {
    platform::Handle file;
    checkSystem(platform::openStorage(folder, name, platform::Opening::toRead, file), name);
    FileStore store(std::move(file), name);
    if (store.bytes() > mostInfoBytes) damaged(std::string(name) + " is too long");
    std::string text(static_cast<size_t>(store.bytes()), '\0');
    store.read(0, reinterpret_cast<uint8_t*>(text.data()), text.size());
    return text;
}

std::string partialOf(const char* name) {
    return std::string(name) + ".partial";
}

/**
 * Writes files under other names first and then gives them their own, one after the other; on
 * failure before that everything is as it was.
 */
void putFiles(const platform::Handle& folder, std::initializer_list<const char*> names,
              const uint8_t* content, size_t bytes) {
    const auto removePartials = [&] {
        for (const char* const name : names)
            platform::removeFile(folder, partialOf(name).c_str());
    };
    removePartials(); // left by a stop
    try {
        for (const char* const name : names) {
            platform::Handle file;
            checkSystem(
                platform::openStorage(folder, partialOf(name).c_str(), platform::Opening::toCreate, file),
                name);
            FileStore store(std::move(file), name);
            store.write(0, content, bytes);
            store.flush();
        }
        for (const char* const name : names) {
            checkSystem(platform::renameIn(folder, partialOf(name).c_str(), name), name);
            checkSystem(platform::syncFolder(folder), "the bundle");
        }
    } catch (const ContainerError&) {
        removePartials();
        throw;
    }
}

void putInfo(const platform::Handle& folder, const BundleInfo& info) {
    const std::string text = bundleInfoPlist(info);
    putFiles(folder, {infoName, copyName}, reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

platform::Handle bandsFolder(const platform::Handle& folder) {
    platform::Handle bands;
    checkSystem(platform::openFolderIn(folder, "bands", bands), "the bands folder");
    return bands;
}

} // namespace

BundleInfo SparseBundle::readInfo(const platform::Handle& folder, bool& copyUsed) {
    copyUsed = false;
    try {
        return parseBundleInfo(readText(folder, infoName));
    } catch (const ContainerError& error) {
        if (error.fault() != Fault::badInput && error.fault() != Fault::notFound) throw;
        try {
            const BundleInfo info = parseBundleInfo(readText(folder, copyName));
            copyUsed = true;
            return info;
        } catch (const ContainerError&) {
            throw error; // what is wrong with the first one says more
        }
    }
}

void SparseBundle::format(const platform::Handle& folder, const BundleInfo& info,
                          const std::vector<uint8_t>& token) {
    checkDiskSize(info.diskBytes);
    if (info.bandBytes % sectorBytes != 0 || info.bandBytes < leastBundleBand ||
        info.bandBytes > mostBundleBand) {
        fail(Fault::usage, "a sparse bundle's band must be a multiple of 512 bytes from 1 MiB to 8 GiB");
    }
    checkSystem(platform::makeFolder(folder, "bands"), "the bands folder");
    putFiles(folder, {"token"}, token.data(), token.size());
    putInfo(folder, info);
}

SparseBundle::SparseBundle(platform::Handle folder, platform::Handle lock, bool writable,
                           std::shared_ptr<BlockCipher> cipher, std::optional<EncryptionFacts> encryption)
    : folder_(std::move(folder)), lock_(std::move(lock)), writable_(writable),
      info_(readInfo(folder_, copyUsed_)), bands_(bandsFolder(folder_), writable, std::move(cipher)),
      encryption_(encryption) {
    if (writable_) repairCopy();
}

void SparseBundle::repairCopy() {
    // A stop between the two renames of a new size leaves the copy with the old one.
    bool isStale = true;
    try {
        const BundleInfo copy = parseBundleInfo(readText(folder_, copyName));
        isStale = copy.diskBytes != info_.diskBytes || copy.bandBytes != info_.bandBytes;
    } catch (const ContainerError& error) {
        if (error.fault() != Fault::badInput && error.fault() != Fault::notFound) throw;
    }
    const std::string text = isStale ? readText(folder_, infoName) : std::string();
    if (isStale && !copyUsed_)
        putFiles(folder_, {copyName}, reinterpret_cast<const uint8_t*>(text.data()), text.size());
    for (const char* const name : {infoName, copyName})
        platform::removeFile(folder_, partialOf(name).c_str());
}

ContainerInfo SparseBundle::info() const {
    ContainerInfo info;
    info.kind = ContainerKind::sparseBundle;
    info.bytes = bytes();
    info.bandBytes = info_.bandBytes;
    const uint64_t bands = (bytes() + info_.bandBytes - 1) / info_.bandBytes;
    info.bandsStored =
        static_cast<uint64_t>(std::distance(bands_.bands().begin(), bands_.bands().lower_bound(bands)));
    info.allocatedBytes = bands_.allocatedBytes();
    info.writable = writable_;
    info.encryption = encryption_;
    return info;
}

void SparseBundle::flush() {
    if (writable_) bands_.flush();
}

void SparseBundle::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    start = end = bytes();
    const uint64_t bandBytes = info_.bandBytes;
    for (auto band = bands_.bands().lower_bound(offset / bandBytes); band != bands_.bands().end(); ++band) {
        if (*band > (bytes() - 1) / bandBytes) return;
        const uint64_t bandStart = *band * bandBytes;
        const uint64_t stored = std::min(bands_.find(*band)->bytes(), bandBytes);
        if (bandStart + stored <= offset || stored == 0) continue;
        start = std::min(bytes(), std::max(offset, bandStart));
        end = std::min(bytes(), bandStart + stored);
        return;
    }
}

void SparseBundle::fetchAhead(uint64_t offset, size_t length) {
    const bool goesOn = offset == readUpTo_;
    readUpTo_ = offset + length;
    if (!goesOn || length < leastFetch) {
        fetchedUpTo_ = 0;
        return;
    }
    const uint64_t end = std::min(bytes(), readUpTo_ + length);
    for (uint64_t at = std::max(offset, fetchedUpTo_); at < end;) {
        const uint64_t inBand = at % info_.bandBytes;
        const uint64_t part = std::min(end - at, info_.bandBytes - inBand);
        ByteStore* const band = bands_.find(at / info_.bandBytes);
        if (band != nullptr) band->expectReading(inBand, part);
        at += part;
    }
    fetchedUpTo_ = end;
}

void SparseBundle::readRange(uint64_t offset, uint8_t* into, size_t length) {
    fetchAhead(offset, length);
    while (length > 0) {
        const uint64_t inBand = offset % info_.bandBytes;
        const auto part = static_cast<size_t>(std::min<uint64_t>(length, info_.bandBytes - inBand));
        ByteStore* const band = bands_.find(offset / info_.bandBytes);
        const uint64_t stored = band == nullptr || band->bytes() <= inBand ? 0 : band->bytes() - inBand;
        const auto fromFile = static_cast<size_t>(std::min<uint64_t>(stored, part));
        if (fromFile > 0) band->read(inBand, into, fromFile);
        std::memset(into + fromFile, 0, part - fromFile);
        offset += part;
        into += part;
        length -= part;
    }
}

void SparseBundle::writeRange(uint64_t offset, const uint8_t* from, size_t length) {
    while (length > 0) {
        const uint64_t number = offset / info_.bandBytes;
        const uint64_t inBand = offset % info_.bandBytes;
        const auto part = static_cast<size_t>(std::min<uint64_t>(length, info_.bandBytes - inBand));
        ByteStore* band = bands_.find(number);
        // Zeros behind what a band has need not be stored.
        if ((band != nullptr && band->bytes() > inBand) || !isZero(from, part)) {
            if (band == nullptr) band = &bands_.make(number);
            band->write(inBand, from, part);
            bands_.changed(number);
        }
        offset += part;
        from += part;
        length -= part;
    }
}

void SparseBundle::dropBehind(uint64_t end) {
    const uint64_t bands = (end + info_.bandBytes - 1) / info_.bandBytes;
    const std::vector<uint64_t> behind(bands_.bands().lower_bound(bands), bands_.bands().end());
    for (const uint64_t band : behind)
        bands_.remove(band);
    const uint64_t tail = end % info_.bandBytes;
    ByteStore* const last = tail == 0 ? nullptr : bands_.find(bands - 1);
    if (last != nullptr && last->bytes() > tail) {
        last->resize(tail);
        bands_.changed(bands - 1);
    }
    bands_.flush();
}

void SparseBundle::changeSize(uint64_t newBytes, Task& /*task*/) {
    // Bytes that a foreign bundle has behind its end must not reappear when it grows.
    dropBehind(std::min(newBytes, bytes()));
    BundleInfo changed = info_;
    changed.diskBytes = newBytes;
    putInfo(folder_, changed);
    info_ = changed;
    copyUsed_ = false;
}

uint64_t SparseBundle::contentOf(ByteStore& band) const {
    std::vector<uint8_t> piece(static_cast<size_t>(std::min<uint64_t>(pieceBytes, info_.bandBytes)));
    uint64_t end = std::min(band.bytes(), info_.bandBytes);
    while (end > 0) {
        const auto length = static_cast<size_t>(std::min<uint64_t>(piece.size(), end));
        band.read(end - length, piece.data(), length);
        for (size_t last = length; last > 0; --last) {
            if (piece[last - 1] != 0) return end - length + last;
        }
        end -= length;
    }
    return 0;
}

void SparseBundle::compact(Task& task) {
    requireWritable();
    flush();
    const std::vector<uint64_t> bands(bands_.bands().begin(), bands_.bands().end());
    const uint64_t count = (bytes() + info_.bandBytes - 1) / info_.bandBytes;
    task.expect(bands.size() * info_.bandBytes);
    for (const uint64_t number : bands) {
        ByteStore& band = *bands_.find(number);
        const uint64_t end = number < count ? contentOf(band) : 0;
        const uint64_t kept = (end + sectorBytes - 1) / sectorBytes * sectorBytes;
        if (end == 0) {
            bands_.remove(number);
        } else if (band.bytes() > kept) {
            band.resize(kept);
            bands_.changed(number);
        }
        task.advance(info_.bandBytes);
    }
    flush();
}

VerifyReport SparseBundle::verify(Task& task) {
    VerifyReport report;
    bool copyUsed = false;
    readInfo(folder_, copyUsed);
    if (copyUsed)
        report.problems.emplace_back("Info.plist is missing or damaged; its copy Info.bckup was used");
    try {
        const BundleInfo copy = parseBundleInfo(readText(folder_, copyName));
        if (copy.diskBytes != info_.diskBytes || copy.bandBytes != info_.bandBytes) {
            report.problems.emplace_back("Info.bckup differs from Info.plist (a change was interrupted; "
                                         "compact it to bring it up to date)");
        }
    } catch (const ContainerError& error) {
        report.problems.push_back(std::string("Info.bckup: ") + error.what());
    }
    const uint64_t count = (bytes() + info_.bandBytes - 1) / info_.bandBytes;
    for (const uint64_t number : bands_.bands()) {
        if (report.problems.size() >= 100) break;
        if (number >= count) {
            report.problems.push_back("band " + bandName(number) + " lies behind the end of the disk");
        } else if (bands_.find(number)->bytes() > info_.bandBytes) {
            report.problems.push_back("band " + bandName(number) + " is longer than a band");
        }
    }
    report.bytesRead = readAll(task);
    return report;
}

} // namespace stowage::containers
