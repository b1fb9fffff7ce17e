#include "binding/protectionBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/par2Arguments.h"
#include "binding/rangesBinding.h"
#include "binding/workObject.h"
#include "core/protection/field16.h"
#include "core/protection/md5Ranges.h"
#include "core/protection/packetWriting.h"
#include "core/protection/protecting.h"
#include "core/protection/repairing.h"

namespace stowage::binding {

namespace {

template <typename Work> Napi::Object resultOf(Napi::Env env, Work& work) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = work.cancelled();
    value["failure"] = env.Null();
    if (work.failure()) {
        const auto& [index, skip] = *work.failure();
        Napi::Object failure = Napi::Object::New(env);
        failure["index"] = static_cast<double>(index);
        failure["code"] = skipCodeName(skip.code);
        failure["cause"] = skip.cause;
        value["failure"] = failure;
    }
    return value;
}

Napi::Value writeRecovery(const Napi::CallbackInfo& info, const std::shared_ptr<Protecting>& set) {
    std::vector<PacketHead> heads = headsFrom(info[1]);
    if (heads.size() != set->recoveryBlocks() || !info[2].IsTypedArray())
        throw Napi::RangeError::New(info.Env(), "each recovery block needs a head, and all a frame");
    const auto given = info[2].As<Napi::Uint8Array>();
    std::vector<uint8_t> frame(given.Data(), given.Data() + given.ByteLength());
    const auto writing = std::make_shared<PacketWriting>(set, static_cast<int>(countArgument(info[0])),
                                                         std::move(heads), std::move(frame));
    return startCountedWork<PacketWriting>(
        info.Env(), "stowage writing recovery blocks", writing, [](Napi::Env env, PacketWriting& done) {
            Napi::Object value = Napi::Object::New(env);
            value["cancelled"] = done.cancelled();
            value["error"] = done.error() == 0 ? env.Null() : Napi::Value(errorValue(env, done.error()));
            return value;
        });
}

Napi::Value protectingResult(Napi::Env env, const std::shared_ptr<Protecting>& set) {
    Napi::Object value = resultOf(env, *set);
    std::vector<uint8_t> files;
    std::vector<uint8_t> blocks;
    for (const FileChecks& checks : set->checks()) {
        addChecks(checks, files, blocks);
    }
    value["files"] = copiedBytes(env, files.data(), files.size());
    value["blocks"] = copiedBytes(env, blocks.data(), blocks.size());
    value["writeRecovery"] = Napi::Function::New(
        env, [set](const Napi::CallbackInfo& info) { return writeRecovery(info, set); }, "writeRecovery");
    return value;
}

} // namespace

Napi::Value protectFiles(const Napi::CallbackInfo& info) {
    std::vector<FileRange> ranges = rangesFrom(info);
    std::vector<ProtectedFile> files;
    uint64_t blocks = 0;
    const uint64_t blockBytes = countArgument(info[4]);
    if (blockBytes == 0 || blockBytes % 2 != 0)
        throw Napi::RangeError::New(info.Env(), "a block must have an even number of bytes");
    for (uint32_t i = 0; i < ranges.size(); ++i) {
        const uint64_t first = countArgument(info[3].As<Napi::Object>().Get(i));
        blocks = std::max(blocks, first + (ranges[i].length + blockBytes - 1) / blockBytes);
        files.push_back({std::move(ranges[i]), first});
    }
    if (blocks > mostInputBlocks) throw Napi::RangeError::New(info.Env(), "a set has at most 32,768 blocks");
    if (!info[5].IsTypedArray() || info[5].As<Napi::TypedArray>().TypedArrayType() != napi_uint16_array)
        throw Napi::TypeError::New(info.Env(), "exponents must be a Uint16Array");
    const auto given = info[5].As<Napi::Uint16Array>();
    std::vector<uint16_t> exponents(given.Data(), given.Data() + given.ElementLength());
    const auto threads = static_cast<unsigned>(std::clamp<uint64_t>(countArgument(info[6]), 1, 64));
    const auto set =
        std::make_shared<Protecting>(std::move(files), blockBytes, std::move(exponents), threads);
    return startCountedWork<Protecting>(
        info.Env(), "stowage calculating recovery blocks", set,
        [set](Napi::Env env, Protecting&) { return protectingResult(env, set); });
}

Napi::Value md5Ranges(const Napi::CallbackInfo& info) {
    const auto work = std::make_shared<Md5Ranges>(rangesFrom(info));
    return startCountedWork<Md5Ranges>(
        info.Env(), "stowage checking", work, [](Napi::Env env, Md5Ranges& done) {
            Napi::Object value = resultOf(env, done);
            value["md5"] = copiedBytes(env, done.digests().data(), done.digests().size() * sizeof(Md5Digest));
            return value;
        });
}

Napi::Value repairBlocks(const Napi::CallbackInfo& info) {
    if (!info[3].IsObject()) throw Napi::TypeError::New(info.Env(), "a repair needs its blocks");
    const auto given = info[3].As<Napi::Object>();
    const auto column = [&](const char* name) {
        const Napi::Value value = given.Get(name);
        if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array)
            throw Napi::TypeError::New(info.Env(), std::string("blocks have no column ") + name);
        return value.As<Napi::Float64Array>();
    };
    const auto numberBelow = [&](double number, uint32_t limit) {
        if (!(number >= 0 && number < limit))
            throw Napi::RangeError::New(info.Env(), "there is no such block");
        return static_cast<uint32_t>(number);
    };
    std::vector<FileRange> ranges = rangesFrom(info);
    const Napi::Float64Array numbers = column("numbers");
    const Napi::Float64Array lost = column("lost");
    const Napi::Float64Array lostBytes = column("lostBytes");
    const uint64_t inputs = countArgument(given.Get("inputs"));
    Repairing::Set set;
    set.blockBytes = countArgument(given.Get("blockBytes"));
    if (numbers.ElementLength() != ranges.size() || lost.ElementLength() != lostBytes.ElementLength() ||
        set.blockBytes == 0 || set.blockBytes % 2 != 0)
        throw Napi::RangeError::New(info.Env(), "columns differ in length, or a block has no such size");
    for (size_t i = 0; i < ranges.size(); ++i) {
        FileRange& range = ranges[i];
        const bool isInput = i < inputs;
        if (range.length > set.blockBytes || (!isInput && range.length != set.blockBytes))
            throw Napi::RangeError::New(info.Env(), "a block has another length");
        const uint32_t limit = isInput ? uint32_t{mostInputBlocks} : 65'536;
        (isInput ? set.inputs : set.recovery).push_back({std::move(range), numberBelow(numbers[i], limit)});
    }
    for (size_t i = 0; i < lost.ElementLength(); ++i)
        set.lost.push_back({numberBelow(lost[i], mostInputBlocks),
                            numberBelow(lostBytes[i], static_cast<uint32_t>(set.blockBytes) + 1)});
    const auto threads = static_cast<unsigned>(std::clamp<uint64_t>(countArgument(info[6]), 1, 64));
    const auto work =
        std::make_shared<Repairing>(std::move(set), pathArgument(info[4]), countArgument(info[5]), threads);
    return startCountedWork<Repairing>(
        info.Env(), "stowage repairing", work, [](Napi::Env env, Repairing& done) {
            Napi::Object value = resultOf(env, done);
            value["solvable"] = done.isSolvable();
            value["error"] = done.error() == 0 ? env.Null() : Napi::Value(errorValue(env, done.error()));
            std::vector<uint8_t> blocks;
            addChecks(done.checks(), blocks);
            value["blocks"] = copiedBytes(env, blocks.data(), blocks.size());
            return value;
        });
}

} // namespace stowage::binding
