#include "core/containers/sparse/bandFolder.h"

#include "core/containers/encryption/encryptedStore.h"

#include <charconv>

namespace stowage::containers {

namespace {

constexpr size_t mostOpen = 32;
/**
 * Well above the 100,000 at which folders are said to fail; bounds what a forged bundle makes us
 * remember.
 */
constexpr size_t mostBandFiles = size_t{1} << 22U;

/** The number that a canonical band name stands for. */
bool numberOf(std::string_view name, uint64_t& band) {
    if (name.empty() || name.size() > 16 || (name[0] == '0' && name.size() > 1)) return false;
    for (const char c : name) {
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) return false;
    }
    std::from_chars(name.data(), name.data() + name.size(), band, 16);
    return true;
}

std::string label(uint64_t band) {
    return "band " + bandName(band);
}

} // namespace

std::string bandName(uint64_t band) {
    std::string name(16, '\0');
    const auto* const end = std::to_chars(name.data(), name.data() + name.size(), band, 16).ptr;
    name.resize(static_cast<size_t>(end - name.data()));
    return name;
}

BandFolder::BandFolder(platform::Handle folder, bool writable, std::shared_ptr<BlockCipher> cipher)
    : folder_(std::move(folder)), writable_(writable), cipher_(std::move(cipher)) {
    list();
}

void BandFolder::list() {
    platform::FolderListing listing(folder_);
    std::string text;
    std::vector<platform::FolderListing::Name> names;
    do {
        checkSystem(listing.next(text, names), "the bands folder");
        for (const auto& name : names) {
            uint64_t band = 0;
            if (!numberOf(text.c_str() + name.offset, band)) continue;
            bands_.insert(band);
            if (bands_.size() > mostBandFiles) fail(Fault::refused, "it has more than 4194304 bands");
        }
    } while (!names.empty());
}

ByteStore* BandFolder::open(uint64_t band, platform::Opening how) {
    platform::Handle file;
    checkSystem(platform::openStorage(folder_, bandName(band).c_str(), how, file), label(band));
    std::unique_ptr<ByteStore> store = std::make_unique<FileStore>(std::move(file), label(band));
    if (cipher_) store = std::make_unique<EncryptedStore>(std::move(store), cipher_);
    if (open_.size() >= mostOpen) {
        openByBand_.erase(open_.back().first);
        open_.pop_back();
    }
    open_.emplace_front(band, std::move(store));
    openByBand_[band] = open_.begin();
    return open_.front().second.get();
}

ByteStore* BandFolder::find(uint64_t band) {
    const auto found = openByBand_.find(band);
    if (found != openByBand_.end()) {
        open_.splice(open_.begin(), open_, found->second);
        return open_.front().second.get();
    }
    if (!bands_.contains(band)) return nullptr;
    return open(band, writable_ ? platform::Opening::toChange : platform::Opening::toRead);
}

ByteStore& BandFolder::make(uint64_t band) {
    ByteStore* const there = find(band);
    if (there != nullptr) return *there;
    ByteStore* const made = open(band, platform::Opening::toCreate);
    bands_.insert(band);
    unsynced_.insert(band);
    namesChanged_ = true;
    return *made;
}

void BandFolder::remove(uint64_t band) {
    const auto found = openByBand_.find(band);
    if (found != openByBand_.end()) {
        open_.erase(found->second);
        openByBand_.erase(found);
    }
    checkSystem(platform::removeFile(folder_, bandName(band).c_str()), label(band));
    bands_.erase(band);
    unsynced_.erase(band);
    namesChanged_ = true;
}

void BandFolder::flush() {
    // One after another each file would wait for a commit of its own.
    for (const uint64_t band : unsynced_) {
        ByteStore* const store = find(band);
        if (store != nullptr) store->beginFlush();
    }
    while (!unsynced_.empty()) {
        const uint64_t band = *unsynced_.begin();
        ByteStore* const store = find(band);
        if (store != nullptr) store->flush();
        unsynced_.erase(band);
    }
    if (namesChanged_) checkSystem(platform::syncFolder(folder_), "the bands folder");
    namesChanged_ = false;
}

uint64_t BandFolder::allocatedBytes() const {
    uint64_t sum = 0;
    for (const uint64_t band : bands_) {
        platform::FileFacts facts;
        checkSystem(platform::factsAt(folder_, bandName(band).c_str(), facts), label(band));
        sum += facts.allocatedBytes;
    }
    return sum;
}

} // namespace stowage::containers
