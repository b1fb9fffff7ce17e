#include "core/pipe/ringPipe.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <random>
#include <thread>
#include <vector>

using namespace stowage;

namespace {

struct Ends {
    int read = -1;
    int write = -1;
};

Ends makePipe() {
    Ends ends;
    EXPECT_EQ(platform::openPipe(ends.read, ends.write), 0);
    return ends;
}

std::vector<uint8_t> noise(size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> data(bytes);
    for (uint8_t& byte : data)
        byte = static_cast<uint8_t>(random());
    return data;
}

/** Writes all of it in pieces of random lengths, with pauses where asked, and closes the end. */
void feed(int descriptor, const std::vector<uint8_t>& data, size_t longest, bool pauses, unsigned seed) {
    std::mt19937 random(seed);
    for (size_t done = 0; done < data.size();) {
        const size_t length = std::min(data.size() - done, size_t{random() % longest} + 1);
        const auto put = ::write(descriptor, data.data() + done, static_cast<unsigned>(length));
        if (put < 0) break;
        done += static_cast<size_t>(put);
        if (pauses && random() % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::close(descriptor);
}

std::vector<uint8_t> drain(int descriptor, size_t longest, bool pauses, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> all;
    std::vector<uint8_t> piece(longest);
    for (;;) {
        const auto got = ::read(descriptor, piece.data(), static_cast<unsigned>(random() % longest + 1));
        if (got <= 0) break;
        all.insert(all.end(), piece.begin(), piece.begin() + got);
        if (pauses && random() % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::close(descriptor);
    return all;
}

struct Passed {
    std::vector<uint8_t> data;
    PipeProgress progress;
    RingPipe::Outcome outcome;
};

Passed passThrough(const std::vector<uint8_t>& data, RingPipeOptions options, bool slowInput,
                   bool slowOutput) {
    const Ends in = makePipe();
    const Ends out = makePipe();
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    std::thread source([&] { feed(in.write, data, 100'000, slowInput, 1); });
    Passed passed;
    std::thread sink([&] { passed.data = drain(out.read, 70'000, slowOutput, 2); });
    pipe.run();
    ::close(in.read);
    ::close(out.write);
    source.join();
    sink.join();
    passed.progress = pipe.progress();
    passed.outcome = pipe.outcome();
    return passed;
}

RingPipeOptions ringOf(uint64_t bytes) {
    RingPipeOptions options;
    options.ringBytes = bytes;
    return options;
}

} // namespace

TEST(RingPipe, PassesEveryByteInOrderWhicheverSideIsSlow) {
    // Neither a multiple of the ring nor of a request, so that it wraps at odd places.
    const auto data = noise(3'456'789, 7);
    for (const bool slowInput : {false, true}) {
        for (const bool slowOutput : {false, true}) {
            for (const uint64_t ring : {RingPipe::leastBytes, uint64_t{100'003}, uint64_t{8'000'000}}) {
                const Passed passed = passThrough(data, ringOf(ring), slowInput, slowOutput);
                EXPECT_EQ(passed.outcome.error, 0);
                EXPECT_TRUE(passed.data == data) << "ring of " << ring;
                EXPECT_EQ(passed.progress.bytesIn, data.size());
                EXPECT_EQ(passed.progress.bytesOut, data.size());
                EXPECT_EQ(passed.progress.filled, 0U);
                EXPECT_LE(passed.progress.mostFilled, std::max(ring, RingPipe::leastBytes));
            }
        }
    }
}

TEST(RingPipe, PassesNothingWhereThereIsNothing) {
    const Passed passed = passThrough({}, ringOf(RingPipe::leastBytes), false, false);
    EXPECT_EQ(passed.outcome.error, 0);
    EXPECT_TRUE(passed.data.empty());
    EXPECT_TRUE(passed.progress.inputEnded);
}

TEST(RingPipe, WritesNothingBeforeItIsFilledAsAskedAndAllOfAShorterInput) {
    const Ends in = makePipe();
    const Ends out = makePipe();
    RingPipeOptions options = ringOf(1'000'000);
    options.startBytes = 500'000;
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    std::thread running([&] { pipe.run(); });
    const auto data = noise(300'000, 3);
    size_t put = 0;
    while (put < data.size())
        put += static_cast<size_t>(::write(in.write, data.data() + put, data.size() - put));
    while (pipe.progress().bytesIn < data.size())
        std::this_thread::yield();
    EXPECT_EQ(pipe.progress().bytesOut, 0U);
    ::close(in.write); // the end of the input counts as filled
    std::vector<uint8_t> got;
    std::thread sink([&] { got = drain(out.read, 50'000, false, 4); });
    running.join();
    ::close(out.write);
    ::close(in.read);
    sink.join();
    EXPECT_TRUE(got == data);
}

TEST(RingPipe, PausesWhenItRunsLowAndDrainsTheEndBelowThat) {
    RingPipeOptions options = ringOf(200'000);
    options.startBytes = 150'000;
    options.lowBytes = 50'000;
    const auto data = noise(1'000'000, 5);
    const Passed passed = passThrough(data, options, true, false);
    EXPECT_EQ(passed.outcome.error, 0);
    EXPECT_TRUE(passed.data == data);
    EXPECT_GE(passed.progress.mostFilled, 150'000U);
}

TEST(RingPipe, IsNoFasterThanItsPaces) {
    RingPipeOptions options = ringOf(1'000'000);
    options.paces = {{0, 2'000'000}, {100'000, 4'000'000}};
    const auto data = noise(300'000, 6);
    const Passed passed = passThrough(data, options, false, false);
    EXPECT_TRUE(passed.data == data);
    // 100,000 bytes at 2 MB/s and 200,000 at 4 MB/s.
    EXPECT_GE(passed.progress.ns, 99'000'000U);
}

TEST(RingPipe, SaysThatItsReaderHasGone) {
#ifndef _WIN32
    ::signal(SIGPIPE, SIG_IGN); // as Node does
#endif
    const Ends in = makePipe();
    const Ends out = makePipe();
    ::close(out.read);
    RingPipeOptions options = ringOf(RingPipe::leastBytes);
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    std::thread source([&] { feed(in.write, noise(500'000, 8), 10'000, false, 9); });
    pipe.run();
    ::close(in.read);
    source.join();
    EXPECT_EQ(pipe.outcome().failed, RingPipe::Side::output);
    EXPECT_EQ(pipe.outcome().error, EPIPE);
#ifndef _WIN32
    EXPECT_EQ(::fcntl(out.write, F_GETFL) & O_NONBLOCK, 0);
#endif
    ::close(out.write);
}

TEST(RingPipe, EndsSoonWhenCancelledThoughNeitherSideMoves) {
    const Ends in = makePipe();
    const Ends out = makePipe();
    RingPipeOptions options = ringOf(RingPipe::leastBytes);
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    std::thread running([&] { pipe.run(); });
    pipe.cancel();
    running.join();
    EXPECT_TRUE(pipe.outcome().cancelled);
    for (const int descriptor : {in.read, in.write, out.read, out.write})
        ::close(descriptor);
}

#ifndef _WIN32 // where no folder opens as a stream
TEST(RingPipe, NamesTheSideThatFails) {
    const Ends out = makePipe();
    RingPipeOptions options = ringOf(RingPipe::leastBytes);
    options.input = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    options.output = out.write;
    RingPipe pipe(options);
    pipe.run();
    EXPECT_EQ(pipe.outcome().failed, RingPipe::Side::input);
    EXPECT_EQ(pipe.outcome().error, EISDIR);
    for (const int descriptor : {options.input, out.read, out.write})
        ::close(descriptor);
}
#endif

TEST(RingPipe, HashesWhatPasses) {
    const auto data = noise(1'234'567, 11);
    Sha256 sha;
    sha.data(data.data(), data.size());
    const Sha256Digest expected = sha.finish();
    const Ends in = makePipe();
    const Ends out = makePipe();
    RingPipeOptions options = ringOf(100'003);
    options.hash = true;
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    std::thread source([&] { feed(in.write, data, 50'000, false, 12); });
    std::thread sink([&] { drain(out.read, 50'000, false, 13); });
    pipe.run();
    ::close(in.read);
    ::close(out.write);
    source.join();
    sink.join();
    ASSERT_TRUE(pipe.digest().has_value());
    EXPECT_EQ(*pipe.digest(), expected);
    EXPECT_FALSE(passThrough(data, ringOf(100'003), false, false).data.empty());
}

TEST(RingPipe, WritesNothingWhileItIsPausedNotEvenTheEnd) {
    const Ends in = makePipe();
    const Ends out = makePipe();
    RingPipeOptions options = ringOf(1'000'000);
    options.input = in.read;
    options.output = out.write;
    RingPipe pipe(options);
    pipe.pause(true);
    std::thread running([&] { pipe.run(); });
    const auto data = noise(300'000, 14);
    feed(in.write, data, 50'000, false, 15);
    while (!pipe.progress().inputEnded)
        std::this_thread::yield();
    EXPECT_EQ(pipe.progress().bytesOut, 0U);
    pipe.pause(false);
    std::vector<uint8_t> got;
    std::thread sink([&] { got = drain(out.read, 50'000, false, 16); });
    running.join();
    ::close(out.write);
    ::close(in.read);
    sink.join();
    EXPECT_TRUE(got == data);
}
