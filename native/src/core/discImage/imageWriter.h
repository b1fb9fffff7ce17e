#pragma once

#include "core/discImage/layout.h"
#include "core/survey/sha256.h"
#include "core/walk/skip.h"
#include "platform/fileSystem.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage::discImage {

/** Where the content of a file comes from. */
struct ContentSource {
    /** The content itself, where it is no file; the rest is for a file. */
    std::optional<std::string> content;
    /** In the system's form. */
    std::string path;
    /** A part of a larger file begins here. */
    uint64_t offset = 0;
    /** The content must have this digest. */
    std::optional<Sha256Digest> expected;
};

struct WritingOptions {
    /** An open file or pipe that takes the image; it stays open. */
    int output = 1;
    bool hashFiles = true;
    bool hashImage = true;
};

/**
 * Writes the image of a layout from front to back, without seeking: sources are read once, in the
 * order of their places, and hashed on the way. `cancel` and `bytesDone` may be called from any
 * thread.
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
                WritingOptions options);
    ImageWriter(const ImageWriter&) = delete;
    ImageWriter& operator=(const ImageWriter&) = delete;
    ImageWriter(ImageWriter&&) = delete;
    ImageWriter& operator=(ImageWriter&&) = delete;
    ~ImageWriter();

    /** Returns when the image is written, or why it is not. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    /** Bytes that the output took. */
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
    [[nodiscard]] const std::optional<Sha256Digest>& imageDigest() const { return imageDigest_; }
    /** Digests of contents by their first entry; none without `hashFiles`. */
    [[nodiscard]] const std::map<uint32_t, Sha256Digest>& digests() const { return digests_; }

  private:
    class Output;
    bool writeMetadata(Output& output);
    bool writeContent(Output& output, uint32_t entry);
    bool copyFile(Output& output, uint32_t entry, const ContentSource& source);
    int openSource(const std::string& path, platform::Handle& file);
    bool fail(uint32_t entry, Skip skip);

    std::shared_ptr<const Layout> layout_;
    std::map<uint32_t, ContentSource> sources_;
    WritingOptions options_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::optional<Failure> failure_;
    std::optional<Sha256Digest> imageDigest_;
    std::map<uint32_t, Sha256Digest> digests_;
    Sha256 sha_;
    /** The folder of the file read last: files of one folder follow each other. */
    std::string folderPath_;
    platform::Handle folder_;
};

} // namespace stowage::discImage
