#include "binding/containers/openedContainer.h"

#include "binding/containers/containerWork.h"
#include "core/containers/encryption/secretBytes.h"
#include "core/containers/sequentialPass.h"

#include <mutex>

namespace stowage::binding {

using namespace containers;

namespace {

constexpr uint64_t mostRead = uint64_t{1} << 30U;

/** A container and the lock that keeps its jobs one after another. */
class Opened {
  public:
    explicit Opened(std::unique_ptr<Container> container) : container_(std::move(container)) {}
    template <typename Action> void with(Action action) {
        const std::scoped_lock guard(lock_);
        if (!container_) fail(Fault::usage, "the container is closed");
        action(*container_);
    }
    void close() {
        const std::scoped_lock guard(lock_);
        if (container_) container_->flush();
        container_.reset();
    }

  private:
    std::mutex lock_;
    std::unique_ptr<Container> container_;
};

using Shared = std::shared_ptr<Opened>;

Napi::Array texts(Napi::Env env, const std::vector<std::string>& lines) {
    Napi::Array array = Napi::Array::New(env, lines.size());
    for (uint32_t i = 0; i < lines.size(); ++i)
        array[i] = lines[i];
    return array;
}

Napi::Value infoObject(Napi::Env env, const ContainerInfo& info) {
    Napi::Object object = Napi::Object::New(env);
    object["kind"] = kindName(info.kind);
    object["bytes"] = static_cast<double>(info.bytes);
    object["bandBytes"] = static_cast<double>(info.bandBytes);
    object["bandsStored"] = static_cast<double>(info.bandsStored);
    object["allocatedBytes"] = static_cast<double>(info.allocatedBytes);
    object["writable"] = info.writable;
    object["encryption"] = encryptionObject(env, info.encryption);
    object["methods"] = texts(env, info.methods);
    object["keysLocked"] = secretsAreLocked();
    return object;
}

Napi::Value startInfo(const Shared& opened, const Napi::CallbackInfo& call) {
    const auto facts = std::make_shared<ContainerInfo>();
    return startWork(
        call.Env(), [opened, facts](Task&) { opened->with([&](Container& disk) { *facts = disk.info(); }); },
        [facts](Napi::Env env) { return infoObject(env, *facts); });
}

Napi::Value startRead(const Shared& opened, const Napi::CallbackInfo& call) {
    const uint64_t offset = countArgument(call[0]);
    const uint64_t length = countArgument(call[1]);
    if (length > mostRead) throw Napi::TypeError::New(call.Env(), "at most 1 GiB is read at once");
    const auto bytes = std::make_shared<std::unique_ptr<uint8_t[]>>();
    return startWork(
        call.Env(),
        [opened, bytes, offset, length](Task&) {
            opened->with([&](Container& disk) {
                if (offset > disk.bytes() || length > disk.bytes() - offset) {
                    fail(Fault::usage, "the range is not within the disk");
                }
                *bytes = std::make_unique_for_overwrite<uint8_t[]>(static_cast<size_t>(length));
                disk.read(offset, bytes->get(), static_cast<size_t>(length));
            });
        },
        [bytes, length](Napi::Env env) -> Napi::Value {
            return {env, Napi::Buffer<uint8_t>::Copy(env, bytes->get(), static_cast<size_t>(length))};
        });
}

Napi::Value startWrite(const Shared& opened, const Napi::CallbackInfo& call) {
    if (!call[1].IsTypedArray() || call[1].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(call.Env(), "content must be given as bytes");
    }
    const auto given = call[1].As<Napi::Uint8Array>();
    const auto bytes =
        std::make_shared<std::vector<uint8_t>>(given.Data(), given.Data() + given.ByteLength());
    return startWork(
        call.Env(),
        [opened, bytes, offset = countArgument(call[0])](Task&) {
            opened->with([&](Container& disk) { disk.write(offset, bytes->data(), bytes->size()); });
        },
        nothing);
}

Napi::Value startVerify(const Shared& opened, const Napi::CallbackInfo& call) {
    const auto report = std::make_shared<VerifyReport>();
    return startWork(
        call.Env(),
        [opened, report](Task& task) { opened->with([&](Container& disk) { *report = disk.verify(task); }); },
        [report](Napi::Env env) -> Napi::Value {
            Napi::Object object = Napi::Object::New(env);
            object["bytesRead"] = static_cast<double>(report->bytesRead);
            object["problems"] = texts(env, report->problems);
            return object;
        });
}

using Starter = Napi::Value (*)(const Shared&, const Napi::CallbackInfo&);

Napi::Value startFlush(const Shared& opened, const Napi::CallbackInfo& call) {
    return startWork(
        call.Env(), [opened](Task&) { opened->with([](Container& disk) { disk.flush(); }); }, nothing);
}

Napi::Value startResize(const Shared& opened, const Napi::CallbackInfo& call) {
    return startWork(
        call.Env(),
        [opened, bytes = countArgument(call[0])](Task& task) {
            opened->with([&](Container& disk) { disk.resize(bytes, task); });
        },
        nothing);
}

Napi::Value startCompact(const Shared& opened, const Napi::CallbackInfo& call) {
    return startWork(
        call.Env(), [opened](Task& task) { opened->with([&](Container& disk) { disk.compact(task); }); },
        nothing);
}

/** Offset and length of each range, one after the other. */
std::vector<DiskRange> rangesArgument(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array) {
        throw Napi::TypeError::New(value.Env(), "ranges must be given as numbers");
    }
    const auto numbers = value.As<Napi::Float64Array>();
    for (size_t i = 0; i < numbers.ElementLength(); ++i) {
        if (!(numbers[i] >= 0 && numbers[i] < 0x1p62)) {
            throw Napi::TypeError::New(value.Env(), "a range must have whole numbers from 0 on");
        }
    }
    std::vector<DiskRange> ranges(numbers.ElementLength() / 2);
    for (size_t i = 0; i < ranges.size(); ++i) {
        ranges[i] = {static_cast<uint64_t>(numbers[2 * i]), static_cast<uint64_t>(numbers[2 * i + 1])};
    }
    return ranges;
}

/**
 * pass(writes, requestBytes, flushBytes, seed, ranges); resolves with the nanoseconds of each
 * range. Without ranges the whole disk is one.
 */
Napi::Value startPass(const Shared& opened, const Napi::CallbackInfo& call) {
    const PassPlan plan{flagArgument(call[0]), countArgument(call[1]), countArgument(call[2]),
                        countArgument(call[3])};
    const bool whole = call[4].IsNull();
    const auto taken = std::make_shared<std::vector<uint64_t>>();
    return startWork(
        call.Env(),
        [opened, plan, taken, ranges = whole ? std::vector<DiskRange>{} : rangesArgument(call[4]),
         whole](Task& task) {
            opened->with([&](Container& disk) {
                *taken =
                    timeRanges(disk, plan, whole ? std::vector{DiskRange{0, disk.bytes()}} : ranges, task);
            });
        },
        [taken](Napi::Env env) -> Napi::Value {
            Napi::Float64Array times = Napi::Float64Array::New(env, taken->size());
            for (size_t i = 0; i < taken->size(); ++i)
                times[i] = static_cast<double>((*taken)[i]);
            return times;
        });
}

Napi::Value startClose(const Shared& opened, const Napi::CallbackInfo& call) {
    return startWork(
        call.Env(), [opened](Task&) { opened->close(); }, nothing);
}

} // namespace

Napi::Value encryptionObject(Napi::Env env, const std::optional<EncryptionFacts>& facts) {
    if (!facts) return env.Null();
    Napi::Object object = Napi::Object::New(env);
    object["keyBits"] = facts->keyBits;
    object["blockBytes"] = facts->blockBytes;
    object["rounds"] = facts->rounds;
    object["current"] = facts->current;
    return object;
}

Napi::Value containerObject(Napi::Env env, std::unique_ptr<Container> container) {
    const auto opened = std::make_shared<Opened>(std::move(container));
    Napi::Object object = Napi::Object::New(env);
    constexpr std::pair<const char*, Starter> methods[] = {
        {"info", startInfo},     {"read", startRead},     {"write", startWrite},
        {"flush", startFlush},   {"resize", startResize}, {"compact", startCompact},
        {"verify", startVerify}, {"pass", startPass},     {"close", startClose}};
    for (const auto& [name, starter] : methods) {
        object[name] = Napi::Function::New(
            env,
            [opened, starter = starter](const Napi::CallbackInfo& call) { return starter(opened, call); },
            name);
    }
    return object;
}

} // namespace stowage::binding
