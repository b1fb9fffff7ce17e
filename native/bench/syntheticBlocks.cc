/**
 * Measures the memory of a survey's tables and marks, next to a source of many distinct blocks that
 * is made as it is read: cmake --preset bench && cmake --build --preset bench
 *   ../.cache/cmake/bench/stowageSyntheticBlocks [budget in MiB] [million blocks of 512 B] [SKETCH]
 * Every block size from 512 B, eight chunkers, marks, two threads; SKETCH is where the sketch is
 * saved. Prints the peak resident size, the distinct figures with the actual ones, and the time.
 * Exit code 1 if the peak exceeds the budget by more than 200 MiB.
 */
#include "core/sketches/sketchSave.h"
#include "core/survey/blockCollector.h"
#include "core/survey/chunkCollector.h"
#include "core/survey/surveyState.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace stowage;

namespace {

constexpr size_t fileBytes = size_t{4} << 20U;
constexpr size_t pieceBytes = size_t{1} << 20U;

ChunkProfile profile(uint64_t least, uint64_t normal, uint64_t most) {
    const uint64_t limit = UINT64_MAX / (normal > least ? normal - least : normal);
    return {least, std::max(least, normal / 2), most, limit, limit};
}

std::vector<ChunkProfile> profiles() {
    constexpr uint64_t kib = 1024;
    return {profile(2 * kib, 8 * kib, 32 * kib),        profile(4 * kib, 16 * kib, 64 * kib),
            profile(16 * kib, 64 * kib, 256 * kib),     profile(32 * kib, 96 * kib, 256 * kib),
            profile(128 * kib, 512 * kib, 2048 * kib),  profile(512 * kib, 1536 * kib, 8192 * kib),
            profile(512 * kib, 2048 * kib, 8192 * kib), profile(1024 * kib, 4096 * kib, 8192 * kib)};
}

/** SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): no two blocks of all files are equal. */
void fill(uint8_t* bytes, size_t length, uint64_t& state) {
    for (size_t at = 0; at < length; at += 8) {
        uint64_t z = state += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        z ^= z >> 31U;
        std::copy_n(reinterpret_cast<const uint8_t*>(&z), 8, bytes + at);
    }
}

} // namespace

int main(int count, char** arguments) {
    const uint64_t budget = (count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 512) << 20U;
    const uint64_t blocks = (count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 20) * 1'000'000;
    constexpr unsigned threads = 2;
    SurveyOptions options;
    options.blocksFrom512 = true;
    options.sampleBytes = 1; // so that the tables count copies, as those of a survey with samples do
    options.chunkProfiles = profiles();
    options.anchors = true;
    options.maxTableBytes = budget;
    SurveyState state(options);
    std::vector<std::unique_ptr<MarkCollector>> marks;
    std::vector<std::unique_ptr<BlockCollector>> blockCollectors;
    for (unsigned t = 0; t < threads; ++t) {
        marks.push_back(std::make_unique<MarkCollector>(*state.marks));
        blockCollectors.push_back(std::make_unique<BlockCollector>(state.levels, marks.back().get()));
    }
    const uint64_t files = (blocks * BlockLevels::fineLeafBytes + fileBytes - 1) / fileBytes;
    std::atomic<uint32_t> next{0};
    {
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < threads; ++t) {
            running.emplace_back([&, t] {
                AnchorCollector anchors(state.anchorDensity);
                ChunkCollector chunks(state.chunkLevels, &anchors, marks[t].get());
                std::vector<uint8_t> buffer(ChunkCutter::headroom + pieceBytes);
                uint8_t* const piece = buffer.data() + ChunkCutter::headroom;
                for (uint32_t file = next++; file < files; file = next++) {
                    uint64_t seed = uint64_t{file} << 40U;
                    marks[t]->startFile(file);
                    for (size_t at = 0; at < fileBytes; at += pieceBytes) {
                        fill(piece, pieceBytes, seed);
                        blockCollectors[t]->data(piece, pieceBytes);
                        chunks.data(piece, pieceBytes);
                    }
                    const uint64_t bytes = blockCollectors[t]->fileBytes();
                    const Hash128 digest = blockCollectors[t]->finishFile();
                    chunks.finishFile(file, bytes);
                    marks[t]->finishFile(bytes, digest, true);
                }
                blockCollectors[t]->flush();
                chunks.flush();
            });
        }
    }
    if (count > 3) saveSketch(arguments[3], *state.marks, marks);
    for (const BlockLevel& level : figuresOf(state.levels, blockCollectors)) {
        const double estimate = static_cast<double>(level.retained.bytes) / level.theta;
        const double truth = static_cast<double>(level.bytes);
        const double error =
            std::sqrt((1 - level.theta) * static_cast<double>(level.retained.squaredBytes)) / level.theta;
        std::printf(
            "%8llu B: %10llu blocks, theta 1/%-5.0f %9llu kept, error %+.3f %%, 95 %% range +-%.3f %%\n",
            static_cast<unsigned long long>(level.blockBytes), static_cast<unsigned long long>(level.blocks),
            1 / level.theta, static_cast<unsigned long long>(level.retained.count),
            (estimate / truth - 1) * 100, 196 * error / truth);
    }
    const uint64_t peak = platform::peakResidentBytes();
    const bool within = peak <= budget + (uint64_t{200} << 20U);
    std::printf("budget %.0f MiB, peak %.0f MiB: %s\n", static_cast<double>(budget) / (1U << 20U),
                static_cast<double>(peak) / (1U << 20U), within ? "within budget + 200 MiB" : "TOO MUCH");
    return within ? 0 : 1;
}
