#include "core/sketches/sketchFile.h"

#include "core/hashing/blockHash.h"
#include "platform/errorCause.h"
#include "platform/fileSystem.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace stowage {

namespace {

static_assert(std::endian::native == std::endian::little, "marks are written as they stand in memory");

constexpr std::string_view magic = "STOWSKCH";
constexpr uint64_t fixedBytes = 8 + 4 + 4 + 4 + 4 + 8 + 8 + 8 + 8 + 16;
constexpr uint64_t profileBytes = uint64_t{8} * 8;
constexpr uint64_t levelBytes = 8 + 8 + 16;
constexpr uint64_t hashBytes = 16;
constexpr unsigned mostProfiles = 64;

Hash128 hashOf(const void* bytes, size_t length) {
    Hash128 hash;
    fastestBlockHasher()(static_cast<const uint8_t*>(bytes), length, 1, &hash);
    return hash;
}

[[noreturn]] void fail(const char* cause) {
    throw SketchError(cause);
}

[[noreturn]] void failOf(int error) {
    throw SketchError(platform::errorCause(error == 0 ? EIO : error));
}

[[noreturn]] void failOf(const std::error_code& error) {
    failOf(error.default_error_condition().value());
}

template <typename Number> void put(std::string& to, Number number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& to, const Hash128& hash) {
    put(to, hash.low);
    put(to, hash.high);
}

/** Takes numbers from bytes that are known to be long enough. */
struct Taker {
    const char* at;
    template <typename Number> Number take() {
        Number number{};
        std::memcpy(&number, at, sizeof(number));
        at += sizeof(number);
        return number;
    }
    Hash128 hash() {
        const auto low = take<uint64_t>();
        return {low, take<uint64_t>()};
    }
};

std::string bytesOf(const SketchHeader& header) {
    std::string bytes(magic);
    put(bytes, sketchVersion);
    put(bytes, static_cast<uint32_t>(header.terms.blocksFrom512 ? 1 : 0));
    put(bytes, static_cast<uint32_t>(header.terms.profiles.size()));
    put(bytes, static_cast<uint32_t>(header.levels.size()));
    put(bytes, header.slots);
    put(bytes, header.files);
    put(bytes, header.numbersEnd);
    put(bytes, header.recordBytes);
    put(bytes, header.recordHash);
    for (const ChunkProfile& profile : header.terms.profiles) {
        put(bytes, profile.minBytes);
        put(bytes, profile.normalBytes);
        put(bytes, profile.maxBytes);
        put(bytes, profile.limitBefore);
        put(bytes, profile.limitAfter);
        put(bytes, profile.draw);
        put(bytes, static_cast<uint64_t>(profile.runs));
        put(bytes, static_cast<uint64_t>(profile.longWindow));
    }
    for (const SketchLevelFacts& level : header.levels) {
        put(bytes, static_cast<uint64_t>(level.shift));
        put(bytes, level.marks);
        put(bytes, level.hash);
    }
    put(bytes, hashOf(bytes.data(), bytes.size()));
    return bytes;
}

bool sensible(const std::vector<Mark>& marks, unsigned shift, uint64_t numbersEnd) {
    const uint64_t highest = UINT64_MAX >> shift;
    const Mark* before = nullptr;
    for (const Mark& mark : marks) {
        if (mark.bytes == 0 || mark.count == 0 || mark.hash.high > highest) return false;
        if (mark.file != manyFiles && mark.file >= numbersEnd) return false;
        if (before != nullptr) {
            const bool sameHash = before->hash == mark.hash;
            const bool later = mark.hash.high != before->hash.high ? mark.hash.high > before->hash.high
                                                                   : mark.hash.low > before->hash.low;
            if (sameHash ? mark.file <= before->file || mark.bytes != before->bytes : !later) return false;
        }
        before = &mark;
    }
    return true;
}

} // namespace

uint64_t SketchHeader::headerBytes() const {
    return fixedBytes + terms.profiles.size() * profileBytes + levels.size() * levelBytes + hashBytes;
}

uint64_t SketchHeader::fileBytes() const {
    uint64_t bytes = headerBytes() + recordBytes;
    for (const SketchLevelFacts& level : levels)
        bytes += level.marks * sizeof(Mark);
    return bytes;
}

SketchWriter::SketchWriter(std::string path, SketchTerms terms, uint64_t slots)
    : path_(std::move(path)), beside_(path_ + ".part") {
    header_.terms = std::move(terms);
    header_.slots = slots;
    header_.levels.resize(header_.terms.levels());
    file_.open(platform::standardPath(beside_), std::ios::binary | std::ios::trunc);
    if (!file_) failOf(errno);
    const std::string room(header_.headerBytes(), '\0');
    header_.levels.clear();
    write(room.data(), room.size());
}

SketchWriter::~SketchWriter() {
    if (finished_) return;
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(platform::standardPath(beside_), ignored);
}

void SketchWriter::write(const void* bytes, size_t length) {
    file_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(length));
    if (!file_) failOf(errno);
}

void SketchWriter::level(unsigned shift, const std::vector<Mark>& marks) {
    const size_t length = marks.size() * sizeof(Mark);
    header_.levels.push_back({shift, marks.size(), hashOf(marks.data(), length)});
    write(marks.data(), length);
}

void SketchWriter::finish(uint64_t files, uint64_t numbersEnd, const std::string& records) {
    header_.files = files;
    header_.numbersEnd = numbersEnd;
    header_.recordBytes = records.size();
    header_.recordHash = hashOf(records.data(), records.size());
    write(records.data(), records.size());
    file_.seekp(0);
    const std::string header = bytesOf(header_);
    write(header.data(), header.size());
    file_.close();
    if (!file_) failOf(errno);
    // Else, after a loss of power, the new name could stand for a file whose content never came to
    // the device.
    const int unsynced = platform::syncToDevice(beside_);
    if (unsynced != 0) failOf(unsynced);
    std::error_code error;
    std::filesystem::rename(platform::standardPath(beside_), platform::standardPath(path_), error);
    if (error) failOf(error);
    finished_ = true;
    // The catalog counts on the new name from now on. Some network file systems cannot flush
    // a folder.
    const int unnamed = platform::syncToDevice(platform::partsOf(path_).folder);
    if (unnamed != 0 && unnamed != EINVAL && unnamed != ENOTSUP) failOf(unnamed);
}

SketchReader::SketchReader(const std::string& path) {
    std::error_code error;
    const std::filesystem::path place = platform::standardPath(path);
    if (!std::filesystem::is_regular_file(place, error)) {
        if (error) failOf(error);
        fail("it is no file");
    }
    fileBytes_ = std::filesystem::file_size(place, error);
    if (error) failOf(error);
    errno = 0;
    file_.open(place, std::ios::binary);
    if (!file_) failOf(errno);
    readHeader();
}

void SketchReader::read(uint64_t at, void* bytes, size_t length) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(length));
    if (!file_ || static_cast<size_t>(file_.gcount()) != length) fail("it is damaged: it is truncated");
}

void SketchReader::readHeader() {
    std::string bytes(fixedBytes, '\0');
    if (fileBytes_ < fixedBytes) fail("it is not a Stowage sketch, or it is truncated");
    read(0, bytes.data(), bytes.size());
    if (bytes.compare(0, magic.size(), magic) != 0) fail("it is not a Stowage sketch");
    Taker taker{bytes.data() + magic.size()};
    if (taker.take<uint32_t>() != sketchVersion) fail("it was made by another version of Stowage");
    const auto from512 = taker.take<uint32_t>();
    const auto profiles = taker.take<uint32_t>();
    const auto levels = taker.take<uint32_t>();
    header_.terms.blocksFrom512 = from512 == 1;
    if (from512 > 1 || profiles > mostProfiles) fail("it is damaged: its header");
    header_.terms.profiles.resize(profiles);
    if (levels != header_.terms.levels()) fail("it is damaged: its header");
    header_.levels.resize(levels);
    header_.slots = taker.take<uint64_t>();
    header_.files = taker.take<uint64_t>();
    header_.numbersEnd = taker.take<uint64_t>();
    header_.recordBytes = taker.take<uint64_t>();
    header_.recordHash = taker.hash();

    const uint64_t length = header_.headerBytes();
    if (fileBytes_ < length) fail("it is damaged: it is truncated");
    bytes.resize(length);
    read(0, bytes.data(), bytes.size());
    const size_t hashed = length - hashBytes;
    if (Taker{bytes.data() + hashed}.hash() != hashOf(bytes.data(), hashed))
        fail("it is damaged: its header");
    taker = {bytes.data() + fixedBytes};
    for (ChunkProfile& profile : header_.terms.profiles) {
        profile.minBytes = taker.take<uint64_t>();
        profile.normalBytes = taker.take<uint64_t>();
        profile.maxBytes = taker.take<uint64_t>();
        profile.limitBefore = taker.take<uint64_t>();
        profile.limitAfter = taker.take<uint64_t>();
        profile.draw = taker.take<uint64_t>();
        const auto runs = taker.take<uint64_t>();
        const auto longWindow = taker.take<uint64_t>();
        if (runs > static_cast<uint64_t>(ChunkProfile::Runs::cutInAny) || longWindow > 1)
            fail("it is damaged: its header");
        profile.runs = static_cast<ChunkProfile::Runs>(runs);
        profile.longWindow = longWindow == 1;
        if (!profile.possible()) fail("it is damaged: its header");
    }
    for (SketchLevelFacts& level : header_.levels) {
        const auto shift = taker.take<uint64_t>();
        level.marks = taker.take<uint64_t>();
        level.hash = taker.hash();
        // No table is filled by more than half.
        if (shift > MarkTable::mostShift || level.marks > fileBytes_ / sizeof(Mark) ||
            level.marks > header_.slots / 2) {
            fail("it is damaged: its header");
        }
        level.shift = static_cast<unsigned>(shift);
    }
    if (header_.recordBytes > fileBytes_ || header_.files > header_.recordBytes ||
        header_.slots < MarkTable::fewestSlots || header_.slots > UINT32_MAX ||
        header_.numbersEnd > UINT32_MAX) {
        fail("it is damaged: its header");
    }
    if (header_.fileBytes() != fileBytes_) fail("it is damaged: its length is not the one in its header");
}

std::vector<Mark> SketchReader::level(unsigned level) {
    uint64_t at = header_.headerBytes();
    for (unsigned before = 0; before < level; ++before)
        at += header_.levels[before].marks * sizeof(Mark);
    const SketchLevelFacts& facts = header_.levels[level];
    std::vector<Mark> marks(facts.marks);
    read(at, marks.data(), marks.size() * sizeof(Mark));
    if (hashOf(marks.data(), marks.size() * sizeof(Mark)) != facts.hash ||
        !sensible(marks, facts.shift, header_.numbersEnd)) {
        fail("it is damaged: its marks");
    }
    return marks;
}

void SketchReader::eachRecord(const std::function<void(const FileRecord&)>& take) {
    std::string bytes(header_.recordBytes, '\0');
    read(fileBytes_ - header_.recordBytes, bytes.data(), bytes.size());
    if (hashOf(bytes.data(), bytes.size()) != header_.recordHash) fail("it is damaged: its records");
    size_t at = 0;
    uint64_t least = 0;
    FileRecord record;
    for (uint64_t i = 0; i < header_.files; ++i) {
        if (!readRecord(bytes, at, header_.terms, record) || record.file < least ||
            record.file >= header_.numbersEnd) {
            fail("it is damaged: its records");
        }
        least = uint64_t{record.file} + 1;
        take(record);
    }
    if (at != bytes.size()) fail("it is damaged: its records");
}

} // namespace stowage
