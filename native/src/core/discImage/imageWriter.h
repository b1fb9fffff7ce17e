#pragma once

#include "core/discImage/layout.h"
#include "core/hashing/sha256.h"
#include "core/protection/packetWriting.h"
#include "core/protection/recoveryPass.h"
#include "core/reading/rangeReading.h"
#include "core/walk/skip.h"
#include "platform/fileSystem.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage::discImage {

/** A file with the recovery blocks of a set: a packet for each head, and a frame around all. */
struct RecoveryFile {
    uint32_t set = 0;
    std::vector<PacketHead> heads;
    std::string frame;
};

/** Where the content of a file comes from. */
struct ContentSource {
    /** The content itself, where it is no file; the rest is for a file. */
    std::optional<std::string> content;
    std::optional<RecoveryFile> recovery;
    /** In the system's form. */
    std::string path;
    /** A part of a larger file begins here. */
    uint64_t offset = 0;
    /** The content must have this digest. */
    std::optional<Sha256Digest> expected;
};

/** PAR2 sets that are made of the files of an image while it is written. */
struct ImageProtection {
    /** As a file is protected: in this set, from this input block on. */
    struct Place {
        uint32_t set = 0;
        size_t firstBlock = 0;
    };
    /** Even, and the same for all sets. */
    size_t blockBytes = 0;
    /** How many recovery blocks each set gets. */
    std::vector<uint16_t> recoveryBlocks;
    /** By the first entry of each content. */
    std::map<uint32_t, Place> places;
    /** Files from this rank on, and all behind the first of them, are left to `writeRest`. */
    uint8_t restRank = 0;
    unsigned threads = 1;
    /**
     * Bytes of each recovery block that are made at a time: the whole block, or fewer and even.
     * Then the files are read again for each further part, and a file at `scratch`, whose name is
     * removed at once, takes the blocks.
     */
    size_t partBytes = 0;
    std::string scratch;
};

struct WritingOptions {
    /** An open file or pipe that takes the image; it stays open. */
    int output = 1;
    bool hashFiles = true;
    bool hashImage = true;
};

/**
 * Writes the image of a layout from front to back, without seeking: sources are read once, in the
 * order of their places, and hashed on the way. With a protection the image is written in two
 * steps: what the packets of its recovery files hold is known only after the first. `cancel` and
 * `bytesDone` may be called from any thread.
 */
class ImageWriter {
  public:
    /** Why the image is not whole. */
    struct Failure {
        /** The entry whose source failed; nothing when the output did. */
        std::optional<uint32_t> entry;
        Skip skip;
        /** The errno value of the output; 0 otherwise. */
        int error = 0;
    };

    /** @param sources by the first entry of each content that has bytes */
    ImageWriter(std::shared_ptr<const Layout> layout, std::map<uint32_t, ContentSource> sources,
                WritingOptions options, std::optional<ImageProtection> protection = std::nullopt);
    ImageWriter(const ImageWriter&) = delete;
    ImageWriter& operator=(const ImageWriter&) = delete;
    ImageWriter(ImageWriter&&) = delete;
    ImageWriter& operator=(ImageWriter&&) = delete;
    ~ImageWriter();

    /**
     * Returns when the image is written, or the part of it before its recovery files, or why it is
     * not. Call it once.
     */
    void run();
    /** Writes the rest of an image with a protection. @param sources of its recovery files */
    void writeRest(std::map<uint32_t, ContentSource> sources);
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    /** Bytes that the output took, and those that were read again for further parts. */
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
    [[nodiscard]] const std::optional<Sha256Digest>& imageDigest() const { return imageDigest_; }
    /** Digests of contents by their first entry; none without `hashFiles`. */
    [[nodiscard]] const std::map<uint32_t, Sha256Digest>& digests() const { return digests_; }
    /** The checks of protected contents by their first entry. */
    [[nodiscard]] const std::map<uint32_t, FileChecks>& checks() const { return checks_; }
    [[nodiscard]] const std::optional<ImageProtection>& protection() const { return protection_; }

  private:
    class Output;
    using Step = bool (ImageWriter::*)(Output& output);
    void writeStep(Step step);
    bool writeStart(Output& output);
    bool writeEnd(Output& output);
    /** Up to the recovery files, or all. */
    bool writeContents(Output& output, bool untilRest);
    bool writeMetadata(Output& output);
    bool writeContent(Output& output, uint32_t entry);
    bool copyFile(Output& output, uint32_t entry, const ContentSource& source);
    bool writeRecovery(Output& output, uint32_t entry, const RecoveryFile& file);
    /** Makes the parts of the recovery blocks that the first pass did not. */
    bool addFurtherParts();
    bool addPartOf(uint32_t entry);
    bool addPartOfBlock(uint32_t entry, const ContentSource& source, uint64_t block);
    /** Puts this part of all recovery blocks into the scratch file. */
    bool keepPart();
    int copyRecovery(uint32_t set, size_t block, uint8_t* into) const;
    [[nodiscard]] uint64_t scratchOffset(uint32_t set, size_t block) const;
    /** Hashes bytes that pass from a source into the image. */
    void noteContent(const uint8_t* bytes, size_t length);
    int openSource(const std::string& path, platform::Handle& file);
    bool fail(uint32_t entry, Skip skip);

    std::shared_ptr<const Layout> layout_;
    std::map<uint32_t, ContentSource> sources_;
    WritingOptions options_;
    std::optional<ImageProtection> protection_;
    std::vector<std::unique_ptr<RecoveryPass>> passes_;
    /** Recovery blocks that are made in parts. */
    platform::Handle scratch_;
    RangeReader again_;
    /** The set of the content that is written now. */
    RecoveryPass* pass_ = nullptr;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::optional<Failure> failure_;
    std::optional<Sha256Digest> imageDigest_;
    std::map<uint32_t, Sha256Digest> digests_;
    std::map<uint32_t, FileChecks> checks_;
    Sha256 sha_;
    Sha256 imageSha_;
    /** Bytes and contents that are written, between the steps. */
    uint64_t position_ = 0;
    size_t nextContent_ = 0;
    /** The folder of the file read last: files of one folder follow each other. */
    std::string folderPath_;
    platform::Handle folder_;
};

} // namespace stowage::discImage
