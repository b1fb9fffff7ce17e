/**
 * The room `reading` reads parts of files: in order, hashed, or sector by sector past damage.
 * How: work runs on threads of its own and can be cancelled.
 * Not here: reading whole sources (`survey`).
 */

#pragma once

#include "core/walk/skip.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace stowage {

/** A part of a file, by a path in the system's form. */
struct FileRange {
    std::string path;
    uint64_t offset = 0;
    uint64_t length = 0;
};

/** Takes what is read, in order. */
struct RangeSink {
    std::function<void(const uint8_t* bytes, size_t length)> data;
    /** A hole, which is not read: its zeros are known. */
    std::function<void(uint64_t length)> zeros;
};

/** Takes the zeros of holes like all other bytes. */
RangeSink passingHoles(const std::function<void(const uint8_t* bytes, size_t length)>& data);

/** Reads ranges of files with a buffer of its own. One object serves one thread. */
class RangeReader {
  public:
    /** Throws std::bad_alloc. */
    RangeReader();

    /** Reads a range until `cancelled`. Returns why it was not read to its end, or nothing. */
    std::optional<Skip> read(const FileRange& range, const std::atomic<bool>& cancelled,
                             const RangeSink& sink);

  private:
    std::unique_ptr<uint8_t, void (*)(void*)> buffer_;
};

} // namespace stowage
