#include "core/discImage/imageWriter.h"

#include "core/discImage/isoFolder.h"
#include "core/discImage/udfBytes.h"
#include "platform/storage.h"
#include "platform/streams.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

namespace stowage::discImage {

namespace {

constexpr size_t blockBytes = size_t{1} << 20U;
constexpr size_t blockCount = 8;

/** Everything of UDF before its first file entry. */
void addUdfDescriptors(const Layout& layout, Bytes& to) {
    addRecognition(to);
    to.grow(place::volumeSequence * sectorBytes - to.size());
    addVolumeSequence(layout, place::volumeSequence, to);
    addVolumeSequence(layout, place::reserveSequence, to);
    addIntegritySequence(layout, to);
    to.grow(place::anchor * sectorBytes - to.size());
    addAnchor(place::anchor, to);
    addFileSet(layout, to);
}

} // namespace

/**
 * Takes the image in order and writes it on a thread of its own, so that reading and writing go on
 * at the same time. Blocks are filled in place: nothing is copied that a source was read into.
 */
class ImageWriter::Output {
  public:
    explicit Output(ImageWriter& writer)
        : writer_(writer), stream_(writer.options_.output), at_(writer.position_) {
        for (auto& block : blocks_) {
            block.bytes.reset(static_cast<uint8_t*>(platform::allocateZeroedPages(blockBytes)));
            if (block.bytes == nullptr) throw std::bad_alloc();
        }
        thread_ = std::thread([this] { work(); });
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    Output(Output&&) = delete;
    Output& operator=(Output&&) = delete;
    ~Output() { finish(); }

    /** Room in the block that is filled now, at least a byte; null when the output has ended. */
    uint8_t* room(size_t& length) {
        Block& block = blocks_[filled_ % blockCount];
        if (!isTaken_) {
            std::unique_lock guard(lock_);
            changed_.wait(guard, [this] { return filled_ - written_ < blockCount || ended_; });
            if (ended_) return nullptr;
            block.used = 0;
            isTaken_ = true;
        }
        length = blockBytes - block.used;
        return block.bytes.get() + block.used;
    }
    /** So much of the room was filled. */
    void filled(size_t length) {
        Block& block = blocks_[filled_ % blockCount];
        block.used += length;
        at_ += length;
        if (block.used == blockBytes) pass();
    }
    bool add(const uint8_t* bytes, size_t length) {
        while (length > 0) {
            size_t most = 0;
            uint8_t* const to = room(most);
            if (to == nullptr) return false;
            const size_t part = std::min(most, length);
            std::memcpy(to, bytes, part);
            filled(part);
            bytes += part;
            length -= part;
        }
        return true;
    }
    bool zeros(uint64_t length) {
        while (length > 0) {
            size_t most = 0;
            uint8_t* const to = room(most);
            if (to == nullptr) return false;
            const size_t part = std::min<uint64_t>(most, length);
            std::memset(to, 0, part);
            filled(part);
            length -= part;
        }
        return true;
    }
    bool zerosUntilSector(uint64_t sector) { return zeros(sector * sectorBytes - at_); }
    /** Returns when all is written or the output has failed. */
    void finish() {
        if (!thread_.joinable()) return;
        if (isTaken_) pass();
        {
            const std::scoped_lock guard(lock_);
            complete_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] uint64_t at() const { return at_; }

  private:
    struct FreeBlock {
        void operator()(uint8_t* bytes) const { platform::freePages(bytes); }
    };
    struct Block {
        std::unique_ptr<uint8_t, FreeBlock> bytes;
        size_t used = 0;
    };

    void pass() {
        {
            const std::scoped_lock guard(lock_);
            ++filled_;
            isTaken_ = false;
        }
        changed_.notify_all();
    }
    void work() {
        for (;;) {
            {
                std::unique_lock guard(lock_);
                changed_.wait(guard, [this] { return written_ < filled_ || complete_; });
                if (written_ == filled_) return;
            }
            const Block& block = blocks_[written_ % blockCount];
            if (!write(block.bytes.get(), block.used)) {
                {
                    const std::scoped_lock guard(lock_);
                    ended_ = true;
                }
                changed_.notify_all();
                return;
            }
            {
                const std::scoped_lock guard(lock_);
                ++written_;
            }
            changed_.notify_all();
        }
    }
    bool write(const uint8_t* bytes, size_t length) {
        if (writer_.options_.hashImage) writer_.imageSha_.data(bytes, length);
        for (size_t done = 0; done < length;) {
            if (writer_.cancelled()) return false;
            size_t put = 0;
            error_ = stream_.write(bytes + done, length - done, put);
            if (error_ != 0) return false;
            done += put;
            writer_.bytesDone_.fetch_add(put, std::memory_order_relaxed);
        }
        return true;
    }

    ImageWriter& writer_;
    platform::StreamInUse stream_;
    std::array<Block, blockCount> blocks_;
    std::mutex lock_;
    std::condition_variable changed_;
    // Blocks since the start, under the lock: those of the ring from `written_` to `filled_` wait.
    uint64_t filled_ = 0;
    uint64_t written_ = 0;
    bool complete_ = false;
    bool ended_ = false;
    // The filling thread's.
    bool isTaken_ = false;
    uint64_t at_;
    // The writing thread's, until it has ended.
    int error_ = 0;
    std::thread thread_;
};

ImageWriter::ImageWriter(std::shared_ptr<const Layout> layout, std::map<uint32_t, ContentSource> sources,
                         WritingOptions options, std::optional<ImageProtection> protection)
    : layout_(std::move(layout)), sources_(std::move(sources)), options_(options),
      protection_(std::move(protection)) {}

ImageWriter::~ImageWriter() = default;

void ImageWriter::run() {
    if (protection_) {
        for (const uint16_t count : protection_->recoveryBlocks) {
            std::vector<uint16_t> exponents(count);
            std::iota(exponents.begin(), exponents.end(), uint16_t{0});
            passes_.push_back(std::make_unique<RecoveryPass>(protection_->blockBytes, std::move(exponents),
                                                             protection_->threads, protection_->partBytes));
        }
    }
    writeStep(&ImageWriter::writeStart);
    for (const auto& pass : passes_)
        pass->finish();
    if (protection_ && protection_->partBytes < protection_->blockBytes && !failure_ && !cancelled())
        addFurtherParts();
}

bool ImageWriter::addFurtherParts() {
    int error = platform::createScratchFile(protection_->scratch, scratch_);
    if (error != 0) {
        failure_ = Failure{std::nullopt, {}, error};
        return false;
    }
    if (!keepPart()) return false;
    for (;;) {
        bool isFurther = false;
        for (const auto& pass : passes_)
            isFurther = pass->nextPart() || isFurther;
        if (!isFurther) return true;
        for (const uint32_t entry : layout_->dataOrder())
            if (protection_->places.contains(entry) && (cancelled() || !addPartOf(entry))) return false;
        for (const auto& pass : passes_)
            pass->finish();
        if (!keepPart()) return false;
    }
}

bool ImageWriter::addPartOf(uint32_t entry) {
    const ContentSource& source = sources_.at(layout_->sourceOf(entry));
    const ImageProtection::Place& place = protection_->places.at(entry);
    const RecoveryPass& pass = *passes_.at(place.set);
    const uint64_t bytes = layout_->entry(entry).bytes;
    for (uint64_t block = 0; block * protection_->blockBytes + pass.partOffset() < bytes; ++block)
        if (cancelled() || !addPartOfBlock(entry, source, block)) return false;
    return true;
}

bool ImageWriter::addPartOfBlock(uint32_t entry, const ContentSource& source, uint64_t block) {
    const ImageProtection::Place& place = protection_->places.at(entry);
    RecoveryPass& pass = *passes_.at(place.set);
    const uint64_t start = block * protection_->blockBytes;
    const uint64_t inBlock = std::min<uint64_t>(layout_->entry(entry).bytes - start, protection_->blockBytes);
    const size_t length = std::min<uint64_t>(inBlock - pass.partOffset(), pass.partLength());
    std::vector<uint8_t> bytes;
    bytes.reserve(length);
    if (source.content) {
        const auto* content = reinterpret_cast<const uint8_t*>(source.content->data());
        bytes.assign(content + start + pass.partOffset(), content + start + pass.partOffset() + length);
    } else {
        const RangeSink sink = passingHoles(
            [&](const uint8_t* read, size_t got) { bytes.insert(bytes.end(), read, read + got); });
        std::optional<Skip> skip =
            again_.read({source.path, source.offset + start + pass.partOffset(), length}, cancelled_, sink);
        if (cancelled()) return false;
        if (skip) return fail(entry, std::move(*skip));
    }
    const size_t input = place.firstBlock + block;
    pass.addPart(input, bytes.data(), length);
    bytesDone_.fetch_add(length, std::memory_order_relaxed);
    const bool isLast = pass.partOffset() + length == inBlock;
    if (isLast &&
        pass.crcOfParts(input, protection_->blockBytes - inBlock) != checks_.at(entry).blocks.at(block).crc32)
        return fail(entry, {SkipCode::changed, "its content has changed"});
    return true;
}

bool ImageWriter::keepPart() {
    std::vector<uint8_t> bytes;
    for (uint32_t set = 0; set < passes_.size(); ++set) {
        const RecoveryPass& pass = *passes_[set];
        bytes.resize(pass.partLength());
        for (size_t block = 0; block < protection_->recoveryBlocks[set]; ++block) {
            pass.sums().copy(block, 0, bytes.size(), bytes.data());
            const int error = platform::writeAt(scratch_, scratchOffset(set, block) + pass.partOffset(),
                                                bytes.data(), bytes.size());
            if (error == 0 && !cancelled()) continue;
            if (error != 0) failure_ = Failure{std::nullopt, {}, error};
            return false;
        }
    }
    return true;
}

uint64_t ImageWriter::scratchOffset(uint32_t set, size_t block) const {
    const auto& counts = protection_->recoveryBlocks;
    const size_t before = std::accumulate(counts.begin(), counts.begin() + set, size_t{0});
    return (before + block) * uint64_t{protection_->blockBytes};
}

int ImageWriter::copyRecovery(uint32_t set, size_t block, uint8_t* into) const {
    const size_t length = protection_->blockBytes;
    if (!scratch_) {
        passes_.at(set)->sums().copy(block, 0, length, into);
        return 0;
    }
    size_t got = 0;
    const int error = platform::readAt(scratch_, scratchOffset(set, block), into, length, got);
    return error == 0 && got < length ? EIO : error;
}

void ImageWriter::writeRest(std::map<uint32_t, ContentSource> sources) {
    sources_.merge(sources);
    writeStep(&ImageWriter::writeEnd);
    // Whoever holds this object must not keep the file in use.
    scratch_ = platform::Handle();
}

void ImageWriter::writeStep(Step step) {
    Output output(*this);
    const bool isWhole = (this->*step)(output);
    output.finish();
    position_ = output.at();
    // Whoever holds this object must not keep the source's disk in use.
    folder_ = platform::Handle();
    folderPath_.clear();
    if (output.error() != 0 && !failure_) failure_ = Failure{std::nullopt, {}, output.error()};
    const bool isEnd = position_ == layout_->sectors() * sectorBytes;
    if (isWhole && isEnd && !failure_ && !cancelled() && options_.hashImage)
        imageDigest_ = imageSha_.finish();
}

bool ImageWriter::writeStart(Output& output) {
    if (!writeMetadata(output) || !writeContents(output, protection_.has_value())) return false;
    return protection_ || writeEnd(output);
}

bool ImageWriter::writeContents(Output& output, bool untilRest) {
    const std::vector<uint32_t>& order = layout_->dataOrder();
    for (; nextContent_ < order.size(); ++nextContent_) {
        const uint32_t entry = order[nextContent_];
        if (untilRest && layout_->entry(entry).rank >= protection_->restRank) break;
        if (cancelled() || !writeContent(output, entry)) return false;
    }
    return !cancelled();
}

bool ImageWriter::writeEnd(Output& output) {
    if (!writeContents(output, false)) return false;
    Bytes end;
    if (layout_->names().hasUdf) addAnchor(layout_->sectors() - 1, end);
    return output.zerosUntilSector(layout_->sectors() - end.size() / sectorBytes) &&
           output.add(end.data(), end.size());
}

bool ImageWriter::writeMetadata(Output& output) {
    const Layout& layout = *layout_;
    Bytes bytes;
    const auto put = [&] {
        const bool isPut = !cancelled() && output.add(bytes.data(), bytes.size());
        bytes.clear();
        return isPut;
    };
    bytes.grow(place::isoDescriptor * sectorBytes);
    addIsoDescriptors(layout, bytes);
    if (layout.names().hasUdf) {
        addUdfDescriptors(layout, bytes);
        if (!put()) return false;
        for (const uint32_t index : layout.udfOrder()) {
            addFileEntry(layout, index, bytes);
            if (layout.entry(index).kind == EntryKind::folder) addUdfFolder(layout, index, bytes);
            if (bytes.size() >= blockBytes && !put()) return false;
        }
    }
    addPathTable(layout, false, bytes);
    addPathTable(layout, true, bytes);
    if (!put()) return false;
    IsoFolderBytes folderBytes;
    for (const uint32_t folder : layout.isoOrder()) {
        folderBytes.make(layout, folder);
        for (const Bytes* part : {&folderBytes.records(), &folderBytes.continuation()})
            if (cancelled() || !output.add(part->data(), part->size())) return false;
    }
    return true;
}

bool ImageWriter::fail(uint32_t entry, Skip skip) {
    failure_ = Failure{entry, std::move(skip), 0};
    return false;
}

bool ImageWriter::writeContent(Output& output, uint32_t entry) {
    const uint64_t bytes = layout_->entry(entry).bytes;
    const auto found = sources_.find(layout_->sourceOf(entry));
    if (found == sources_.end()) return fail(entry, {SkipCode::notFound, "it has no source"});
    const ContentSource& source = found->second;
    if (!output.zerosUntilSector(layout_->parts(entry).dataSector)) return false;
    if (source.recovery) return writeRecovery(output, entry, *source.recovery);
    pass_ = nullptr;
    if (protection_) {
        const auto place = protection_->places.find(entry);
        if (place != protection_->places.end()) {
            pass_ = passes_.at(place->second.set).get();
            pass_->begin(place->second.firstBlock);
        }
    }
    if (source.content) {
        if (source.content->size() != bytes)
            return fail(entry, {SkipCode::changed, "it has another length than expected"});
        const auto* content = reinterpret_cast<const uint8_t*>(source.content->data());
        noteContent(content, bytes);
        if (!output.add(content, bytes)) return false;
    } else if (!copyFile(output, entry, source)) {
        return false;
    }
    if (pass_ != nullptr) checks_[entry] = pass_->end();
    if (options_.hashFiles) {
        const Sha256Digest digest = sha_.finish();
        digests_[entry] = digest;
        if (source.expected && *source.expected != digest)
            return fail(entry, {SkipCode::changed, "its content has changed"});
    }
    return output.zeros(sectorsFor(bytes) * sectorBytes - bytes);
}

void ImageWriter::noteContent(const uint8_t* bytes, size_t length) {
    if (options_.hashFiles) sha_.data(bytes, length);
    if (pass_ != nullptr) pass_->data(bytes, length);
}

bool ImageWriter::writeRecovery(Output& output, uint32_t entry, const RecoveryFile& file) {
    const uint64_t bytes = layout_->entry(entry).bytes;
    const size_t packetBytes = sizeof(PacketHead) + protection_->blockBytes;
    if (file.heads.size() * packetBytes + 2 * file.frame.size() != bytes)
        return fail(entry, {SkipCode::changed, "it has another length than expected"});
    const auto* frame = reinterpret_cast<const uint8_t*>(file.frame.data());
    if (!output.add(frame, file.frame.size())) return false;
    std::vector<uint8_t> packet;
    for (size_t block = 0; block < file.heads.size(); ++block) {
        if (cancelled()) return false;
        int error = 0;
        makePacket(
            file.heads[block], protection_->blockBytes,
            [&](uint8_t* into) { error = copyRecovery(file.set, block, into); }, packet);
        if (error != 0) return fail(entry, skipFor(error));
        if (!output.add(packet.data(), packet.size())) return false;
    }
    return output.add(frame, file.frame.size()) && output.zeros(sectorsFor(bytes) * sectorBytes - bytes);
}

int ImageWriter::openSource(const std::string& path, platform::Handle& file) {
    const auto [folderPath, name] = platform::partsOf(path);
    if (!folder_ || folderPath != folderPath_) {
        folderPath_.clear();
        folder_ = platform::Handle();
        const int error = platform::openFolder(folderPath, folder_);
        if (error != 0) return error;
        folderPath_ = folderPath;
    }
    return platform::openFile(folder_, name.c_str(), file);
}

bool ImageWriter::copyFile(Output& output, uint32_t entry, const ContentSource& source) {
    const uint64_t bytes = layout_->entry(entry).bytes;
    platform::Handle file;
    platform::FileFacts facts;
    int error = openSource(source.path, file);
    if (error == 0) error = platform::factsOf(file, facts);
    if (error == ELOOP) return fail(entry, {SkipCode::refused, "it is a symbolic link"});
    if (error != 0) return fail(entry, skipFor(error));
    if (facts.kind != platform::FileKind::file)
        return fail(entry, {SkipCode::specialFile, "it is not a file"});
    if (bytes > blockBytes) platform::expectSequentialReading(file);
    const bool isSparse = facts.maybeSparse();
    uint64_t dataEnd = 0;
    for (uint64_t done = 0; done < bytes;) {
        if (cancelled()) return false;
        const uint64_t offset = source.offset + done;
        size_t room = 0;
        uint8_t* const to = output.room(room);
        if (to == nullptr) return false;
        size_t wanted = std::min<uint64_t>(room, bytes - done);
        if (isSparse && offset < facts.bytes) {
            uint64_t dataStart = offset;
            if (offset >= dataEnd) error = platform::nextData(file, offset, facts.bytes, dataStart, dataEnd);
            if (error == 0 && dataStart > offset) {
                // A hole is not read: its zeros are known.
                wanted = std::min<uint64_t>(wanted, std::min(dataStart, facts.bytes) - offset);
                std::memset(to, 0, wanted);
                noteContent(to, wanted);
                output.filled(wanted);
                done += wanted;
                dataEnd = 0;
                continue;
            }
            if (dataEnd > offset) wanted = std::min<uint64_t>(wanted, dataEnd - offset);
        }
        size_t got = 0;
        if (error == 0) error = platform::readAt(file, offset, to, wanted, got);
        if (error != 0) return fail(entry, skipFor(error));
        if (got < wanted) return fail(entry, {SkipCode::changed, "it is shorter than expected"});
        noteContent(to, got);
        output.filled(got);
        done += got;
    }
    return true;
}

} // namespace stowage::discImage
