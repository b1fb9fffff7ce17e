#include "binding/timingBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/workObject.h"
#include "platform/deviceFacts.h"

#include <algorithm>
#include <iterator>

namespace stowage::binding {

namespace {

std::string textArgument(const Napi::Value& value) {
    if (!value.IsString()) throw Napi::TypeError::New(value.Env(), "a name must be text");
    return value.As<Napi::String>().Utf8Value();
}

/** The place of a word in a list of them. Throws TypeError. */
template <size_t Count> size_t wordArgument(const Napi::Value& value, const char* const (&words)[Count]) {
    const std::string word = textArgument(value);
    const auto* const found = std::find(std::begin(words), std::end(words), word);
    if (found == std::end(words)) throw Napi::TypeError::New(value.Env(), "there is no " + word);
    return static_cast<size_t>(found - std::begin(words));
}

uint64_t optionalCount(const Napi::Object& object, const char* name, uint64_t otherwise) {
    const Napi::Value value = object.Get(name);
    return value.IsUndefined() ? otherwise : countArgument(value);
}

template <typename Item, typename From> std::vector<Item> listArgument(const Napi::Value& value, From from) {
    if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), "a list must be an array");
    const auto list = value.As<Napi::Array>();
    std::vector<Item> items;
    for (uint32_t i = 0; i < list.Length(); ++i) {
        const Napi::Value item = list.Get(i);
        if (!item.IsObject()) throw Napi::TypeError::New(value.Env(), "an item must be an object");
        items.push_back(from(item.As<Napi::Object>()));
    }
    return items;
}

TimedFileSpec fileFrom(const Napi::Object& object) {
    TimedFileSpec file;
    file.foreign = flagArgument(object.Get("foreign"));
    file.name = pathArgument(object.Get("name"));
    file.bytes = countArgument(object.Get("bytes"));
    file.seed = countArgument(object.Get("seed"));
    return file;
}

TimedStep stepFrom(const Napi::Object& object) {
    TimedStep step;
    step.kind = static_cast<StepKind>(wordArgument(object.Get("op"), stepKindNames));
    constexpr uint64_t most = UINT32_MAX;
    step.file = static_cast<uint32_t>(std::min(optionalCount(object, "file", 0), most));
    step.writeFile = static_cast<uint32_t>(std::min(optionalCount(object, "writeFile", 0), most));
    step.requestBytes = optionalCount(object, "requestBytes", 1);
    step.depth = static_cast<unsigned>(std::min(optionalCount(object, "depth", 1), most));
    step.count = optionalCount(object, "count", 0);
    step.seed = optionalCount(object, "seed", 0);
    step.milliseconds = optionalCount(object, "ms", 0);
    step.keepCache = object.Has("keepCache") && flagArgument(object.Get("keepCache"));
    return step;
}

TimedRunOptions timedRunOptions(const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "options must be an object");
    const auto object = value.As<Napi::Object>();
    constexpr const char* modes[] = {"uncached", "buffered"};
    constexpr const char* policies[] = {"none", "each", "end"};
    TimedRunOptions options;
    options.directory = pathArgument(object.Get("directory"));
    options.runFolder = textArgument(object.Get("runFolder"));
    options.files = listArgument<TimedFileSpec>(object.Get("files"), fileFrom);
    options.steps = listArgument<TimedStep>(object.Get("steps"), stepFrom);
    options.cacheMode = static_cast<platform::CacheMode>(wordArgument(object.Get("cacheMode"), modes));
    options.flush = static_cast<FlushPolicy>(wordArgument(object.Get("flush"), policies));
    options.preallocate = flagArgument(object.Get("preallocate"));
    options.keepFolder = flagArgument(object.Get("keepFolder"));
    options.minimumFreeBytes = countArgument(object.Get("minimumFreeBytes"));
    size_t bad = 0;
    if (!options.runFolder.empty() && !platform::RunFolder::possibleName(options.runFolder)) {
        throw Napi::TypeError::New(value.Env(), "this is no name for a run's folder");
    }
    if (!options.possible(bad)) {
        const std::string what =
            bad < options.steps.size() ? "step " + std::to_string(bad) : std::string("a file");
        throw Napi::TypeError::New(value.Env(), what + " of the timed run is not possible");
    }
    return options;
}

Napi::Value samplesValue(Napi::Env env, const TimedColumns& columns) {
    const size_t count = columns.step.size();
    if (count == 0) return env.Null();
    Napi::Object value = Napi::Object::New(env);
    value["count"] = static_cast<double>(count);
    value["step"] = copied(env, columns.step.data(), count, napi_uint32_array);
    value["phase"] = copiedBytes(env, columns.phase.data(), count);
    value["bytes"] = copied(env, columns.bytes.data(), count, napi_float64_array);
    value["startNs"] = copied(env, columns.startNs.data(), count, napi_float64_array);
    value["ns"] = copied(env, columns.ns.data(), count, napi_float64_array);
    return value;
}

Napi::Value progressValue(Napi::Env env, const TimedProgress& progress) {
    Napi::Object value = Napi::Object::New(env);
    value["stepsDone"] = static_cast<double>(progress.stepsDone);
    value["stepsTotal"] = static_cast<double>(progress.stepsTotal);
    value["bytesDone"] = static_cast<double>(progress.bytesDone);
    value["bytesTotal"] = static_cast<double>(progress.bytesTotal);
    value["current"] = static_cast<double>(progress.current);
    return value;
}

Napi::Value shareValue(Napi::Env env, const DeviceShare& share) {
    Napi::Object value = Napi::Object::New(env);
    value["issuedBytes"] = static_cast<double>(share.issuedBytes);
    value["deviceBytes"] = static_cast<double>(share.deviceBytes);
    return value;
}

Napi::Value deviceValue(Napi::Env env, const CacheEvidence& evidence) {
    if (!evidence.countersKnown) return env.Null();
    Napi::Object value = Napi::Object::New(env);
    value["reading"] = shareValue(env, evidence.reading);
    value["writing"] = shareValue(env, evidence.writing);
    return value;
}

Napi::Value failureValue(Napi::Env env, const TimedFailure& failure) {
    if (failure.error == 0) return env.Null();
    Napi::Object value = Napi::Object::New(env);
    value["code"] = failure.verification ? "verification-failed" : timedErrorCode(failure.error);
    value["action"] = failure.action;
    value["file"] = static_cast<double>(failure.file);
    value["cause"] = failure.margin         ? std::string("less than the minimum would stay free")
                     : failure.verification ? std::string("it does not hold what was written")
                                            : timedErrorCause(failure.error);
    return value;
}

Napi::Value outcome(Napi::Env env, TimedRun& done) {
    const CacheEvidence& evidence = done.evidence();
    Napi::Object cache = Napi::Object::New(env);
    cache["obtained"] = evidence.probe.obtained == platform::CacheMode::uncached ? "uncached" : "buffered";
    cache["because"] = evidence.probe.because;
    cache["alignment"] = evidence.probe.alignment;
    const auto resident = [&](uint64_t bytes) {
        return evidence.residencyKnown ? Napi::Value(Napi::Number::New(env, static_cast<double>(bytes)))
                                       : env.Null();
    };
    cache["residentBeforeBytes"] = resident(evidence.residentBeforeBytes);
    cache["residentBytes"] = resident(evidence.residentAfterBytes);
    cache["checkedBytes"] = static_cast<double>(evidence.checkedBytes);
    cache["device"] = deviceValue(env, evidence);
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = done.cancelled();
    value["cache"] = cache;
    value["preallocated"] = done.preallocated();
    value["verifiedBytes"] = static_cast<double>(done.verifiedBytes());
    value["error"] = failureValue(env, done.failure());
    value["removeCause"] = causeValue(env, done.removeError());
    return value;
}

} // namespace

Napi::Value startTimedRun(const Napi::CallbackInfo& info) {
    const auto run = std::make_shared<TimedRun>(timedRunOptions(info[0]));
    Napi::Object object = startWork(info.Env(), "stowage timing", run, outcome);
    method(object, "takeSamples", run, [](const Napi::CallbackInfo& call, TimedRun& running) {
        return samplesValue(call.Env(), running.takeSamples());
    });
    method(object, "progress", run, [](const Napi::CallbackInfo& call, TimedRun& running) {
        return progressValue(call.Env(), running.progress());
    });
    method(object, "pause", run, [](const Napi::CallbackInfo&, TimedRun& running) { running.pause(); });
    method(object, "resume", run, [](const Napi::CallbackInfo&, TimedRun& running) { running.resume(); });
    return object;
}

Napi::Value deviceFacts(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    platform::DeviceFacts facts;
    const int error = platform::deviceFacts(pathArgument(info[0]), facts);
    if (error != 0) return errorValue(env, error);
    const auto text = [env](const std::string& said) {
        return said.empty() ? env.Null() : Napi::Value(Napi::String::New(env, said));
    };
    Napi::Object value = Napi::Object::New(env);
    value["model"] = text(facts.model);
    value["kind"] = platform::storageKindNames[static_cast<size_t>(facts.kind)];
    value["bus"] = text(facts.bus);
    value["fileSystem"] = facts.fileSystem;
    value["mountPoint"] = copiedBytes(env, facts.mountPoint.data(), facts.mountPoint.size());
    value["device"] = copiedBytes(env, facts.device.data(), facts.device.size());
    value["totalBytes"] = static_cast<double>(facts.totalBytes);
    value["freeBytes"] = static_cast<double>(facts.freeBytes);
    value["source"] = facts.source;
    return value;
}

Napi::Value readCounters(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    platform::CounterSource source;
    platform::DeviceCounters counters;
    if (!source.open(pathArgument(info[0])) || !source.read(counters)) return env.Null();
    Napi::Object value = Napi::Object::New(env);
    value["sectorsRead"] = static_cast<double>(counters.sectorsRead);
    value["sectorsWritten"] = static_cast<double>(counters.sectorsWritten);
    return value;
}

Napi::Value removeRunFolder(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    constexpr const char* names[] = {"removed", "absent", "not-ours", "in-use", "foreign-files-left"};
    platform::LeftOver found = platform::LeftOver::notOurs;
    const int error =
        platform::RunFolder::removeLeftOver(pathArgument(info[0]), textArgument(info[1]), found);
    if (error != 0) return errorValue(env, error);
    return Napi::String::New(env, names[static_cast<size_t>(found)]);
}

Napi::Value timingOverhead(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), timingOverheadNs());
}

} // namespace stowage::binding
