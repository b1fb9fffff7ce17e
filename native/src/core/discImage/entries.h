#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::discImage {

enum class EntryKind : uint8_t { folder, file, link };

/** A point of time: seconds since 1970, of any sign, and nanoseconds below a second. */
struct Moment {
    int64_t seconds = 0;
    uint32_t nanoseconds = 0;

    bool operator<(const Moment& other) const {
        return seconds == other.seconds ? nanoseconds < other.nanoseconds : seconds < other.seconds;
    }
};

/** A name on the image. */
struct Entry {
    EntryKind kind = EntryKind::file;
    /** The folder that it is in: the number of an entry before this one; 0 for the root itself. */
    uint32_t parent = 0;
    /**
     * The first entry with the same content, at most this one: they are names of one file, whose
     * bytes are on the image once.
     */
    uint32_t content = 0;
    /** Its bytes follow those of all files of lower ranks, whose places do not depend on it. */
    uint8_t rank = 0;
    uint32_t mode = 0;
    uint32_t user = 0;
    uint32_t group = 0;
    Moment modified;
    /** When it was made, where that is known. */
    std::optional<Moment> created;
    uint64_t bytes = 0;
    /** Places in the text of `Entries`. */
    uint64_t nameAt = 0;
    uint32_t nameBytes = 0;
    uint32_t targetBytes = 0;
    uint64_t targetAt = 0;
};

/**
 * All names of an image: the root first, every folder before what is in it, names as the bytes
 * that the source has.
 */
struct Entries {
    std::vector<Entry> all;
    std::string text;

    [[nodiscard]] std::string_view name(const Entry& entry) const {
        return std::string_view(text).substr(entry.nameAt, entry.nameBytes);
    }
    [[nodiscard]] std::string_view target(const Entry& entry) const {
        return std::string_view(text).substr(entry.targetAt, entry.targetBytes);
    }
};

/** The names of an image as a whole. */
struct ImageNames {
    /** At most 30 characters of Latin-1 or ASCII for every reader. */
    std::string label;
    /** 16 characters that no other image has. */
    std::string uniqueId;
    /** The program that made it. */
    std::string application;
    Moment made;
    /** False: ISO 9660 alone, for readers that would prefer UDF, which has no symbolic links. */
    bool hasUdf = true;
};

} // namespace stowage::discImage
