#include "core/containers/compressed/udifWriter.h"

#include "core/containers/bigEndian.h"
#include "core/containers/compressed/udifTables.h"
#include "core/containers/compressed/zlibData.h"
#include "core/containers/encryption/crypto.h"
#include "core/containers/sparse/base64.h"
#include "core/hashing/blockHash.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace stowage::containers {

namespace {

constexpr uint64_t chunkSectors = 2048;
constexpr unsigned mostThreads = 8;

/** A piece of the disk on its way into the image. */
struct Piece {
    std::vector<uint8_t> plain;
    std::vector<uint8_t> packed;
    uint64_t sector = 0;
    bool isEmpty = true;
};

class Writer {
  public:
    Writer(Container& source, ByteStore& into, int level, Task& task)
        : source_(source), into_(into), level_(level), task_(task),
          pieces_(std::clamp(std::thread::hardware_concurrency(), 1U, mostThreads)) {}

    void write() {
        const uint64_t sectors = (source_.bytes() + sectorBytes - 1) / sectorBytes;
        task_.expect(source_.bytes());
        for (uint64_t sector = 0; sector < sectors;) {
            size_t count = 0;
            for (; count < pieces_.size() && sector < sectors; ++count) {
                readPiece(pieces_[count], sector, std::min(chunkSectors, sectors - sector));
                sector += chunkSectors;
            }
            packAll(count);
            for (size_t i = 0; i < count; ++i)
                append(pieces_[i]);
        }
        addEntry(0xFFFFFFFF, sectors, 0, position_, 0);
        finish(sectors);
    }

  private:
    void readPiece(Piece& piece, uint64_t sector, uint64_t sectors) {
        const uint64_t offset = sector * sectorBytes;
        piece.sector = sector;
        piece.plain.resize(static_cast<size_t>(sectors * sectorBytes));
        const uint64_t length = std::min<uint64_t>(piece.plain.size(), source_.bytes() - offset);
        uint64_t start = 0;
        uint64_t end = 0;
        source_.nextData(offset, start, end);
        piece.isEmpty = start >= offset + length;
        if (!piece.isEmpty) {
            // A disk that is no multiple of a sector is filled up with zeros.
            std::fill(piece.plain.begin() + static_cast<ptrdiff_t>(length), piece.plain.end(), uint8_t{0});
            source_.read(offset, piece.plain.data(), static_cast<size_t>(length));
            piece.isEmpty = isZero(piece.plain.data(), piece.plain.size());
        }
        task_.advance(length);
    }

    void packAll(size_t count) {
        std::vector<std::exception_ptr> failures(count);
        {
            std::vector<std::jthread> threads;
            for (size_t i = 0; i < count; ++i) {
                if (pieces_[i].isEmpty) continue;
                threads.emplace_back([this, i, &failures] {
                    try {
                        deflateTo(pieces_[i].plain.data(), pieces_[i].plain.size(), level_,
                                  pieces_[i].packed);
                    } catch (...) {
                        failures[i] = std::current_exception();
                    }
                });
            }
        }
        for (const std::exception_ptr& failure : failures) {
            if (failure) std::rethrow_exception(failure);
        }
    }

    void append(const Piece& piece) {
        const uint64_t sectors = piece.plain.size() / sectorBytes;
        if (piece.isEmpty) {
            if (lastEmpty_ != SIZE_MAX) {
                store64(&entries_[lastEmpty_ + 16], load64(&entries_[lastEmpty_ + 16]) + sectors);
                return;
            }
            lastEmpty_ = entries_.size();
            addEntry(static_cast<uint32_t>(ChunkMethod::unused), piece.sector, sectors, position_, 0);
            return;
        }
        lastEmpty_ = SIZE_MAX;
        const bool shrinks = piece.packed.size() < piece.plain.size();
        const std::vector<uint8_t>& stored = shrinks ? piece.packed : piece.plain;
        into_.write(position_, stored.data(), stored.size());
        tableSum_ = crc32Of(tableSum_, piece.plain.data(), piece.plain.size());
        dataSum_ = crc32Of(dataSum_, stored.data(), stored.size());
        addEntry(static_cast<uint32_t>(shrinks ? ChunkMethod::zlib : ChunkMethod::raw), piece.sector, sectors,
                 position_, stored.size());
        position_ += stored.size();
    }

    void addEntry(uint32_t type, uint64_t sector, uint64_t sectors, uint64_t offset, uint64_t length) {
        const size_t at = entries_.size();
        entries_.resize(at + 40);
        store32(&entries_[at], type);
        store64(&entries_[at + 8], sector);
        store64(&entries_[at + 16], sectors);
        store64(&entries_[at + 24], offset);
        store64(&entries_[at + 32], length);
    }

    [[nodiscard]] std::string table(uint64_t sectors) const {
        std::string mish(204, '\0');
        auto* const bytes = reinterpret_cast<uint8_t*>(mish.data());
        store32(bytes, 0x6D697368); // mish
        store32(bytes + 4, 1);
        store64(bytes + 16, sectors);
        store32(bytes + 32, chunkSectors + 8);
        store32(bytes + 64, 2);
        store32(bytes + 68, 32);
        store32(bytes + 72, tableSum_);
        store32(bytes + 200, static_cast<uint32_t>(entries_.size() / 40));
        return mish.append(reinterpret_cast<const char*>(entries_.data()), entries_.size());
    }

    static std::string entry(const std::string& data, const char* name) {
        return "\t\t\t<dict>\n\t\t\t\t<key>Attributes</key>\n\t\t\t\t<string>0x0050</"
               "string>\n\t\t\t\t<key>CFName</key>\n"
               "\t\t\t\t<string>" +
               std::string(name) + "</string>\n\t\t\t\t<key>Data</key>\n\t\t\t\t<data>" + toBase64(data) +
               "</data>\n\t\t\t\t<key>ID</key>\n\t\t\t\t<string>0</string>\n\t\t\t\t<key>Name</"
               "key>\n\t\t\t\t<string>" +
               name + "</string>\n\t\t\t</dict>\n";
    }

    [[nodiscard]] std::string plist(uint64_t sectors) const {
        return R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>resource-fork</key>
	<dict>
		<key>blkx</key>
		<array>
)" + entry(table(sectors), "whole disk (Stowage : 0)") +
               "\t\t</array>\n\t\t<key>plst</key>\n\t\t<array>\n" + entry(std::string(1032, '\0'), "") +
               "\t\t</array>\n\t</dict>\n</dict>\n</plist>\n";
    }

    void finish(uint64_t sectors) {
        const std::string text = plist(sectors);
        std::vector<uint8_t> tail(text.begin(), text.end());
        tail.resize(text.size() + kolyBytes);
        uint8_t* const koly = &tail[text.size()];
        store32(koly, 0x6B6F6C79); // koly
        store32(koly + 4, 4);
        store32(koly + 8, kolyBytes);
        store32(koly + 12, 1);
        store64(koly + 32, position_);
        store32(koly + 56, 1);
        store32(koly + 60, 1);
        randomBytes(koly + 64, 16);
        store32(koly + 80, 2);
        store32(koly + 84, 32);
        store32(koly + 88, dataSum_);
        store64(koly + 216, position_);
        store64(koly + 224, text.size());
        uint8_t sum[4];
        store32(static_cast<uint8_t*>(sum), tableSum_);
        store32(koly + 352, 2);
        store32(koly + 356, 32);
        store32(koly + 360, crc32Of(0, static_cast<uint8_t*>(sum), 4));
        store32(koly + 488, 1);
        store64(koly + 492, sectors);
        into_.write(position_, tail.data(), tail.size());
        into_.flush();
    }

    Container& source_;
    ByteStore& into_;
    int level_;
    Task& task_;
    std::vector<Piece> pieces_;
    std::vector<uint8_t> entries_;
    size_t lastEmpty_ = SIZE_MAX;
    uint64_t position_ = 0;
    uint32_t tableSum_ = 0;
    uint32_t dataSum_ = 0;
};

} // namespace

void writeUdif(Container& source, ByteStore& into, int level, Task& task) {
    if (level < 1 || level > 9) fail(Fault::usage, "a level of zlib goes from 1 to 9");
    Writer(source, into, level, task).write();
}

} // namespace stowage::containers
