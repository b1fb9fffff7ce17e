#include "binding/survey/surveyBinding.h"

#include "binding/arguments.h"
#include "binding/survey/anchorsBinding.h"
#include "binding/survey/knownFilesBinding.h"
#include "binding/survey/levelValues.h"
#include "binding/survey/rulesBinding.h"
#include "binding/workObject.h"
#include "core/survey/survey.h"

#include <array>
#include <cmath>
#include <utility>

namespace stowage::binding {

namespace {

/**
 * Eight numbers for each profile: least, normal and most bytes, one in how many positions is a cut
 * before the normal length and from it, which draw of such positions it is, which runs it cuts in,
 * and 1 if its window is long.
 */
std::vector<ChunkProfile> chunkProfilesFrom(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array) {
        throw Napi::TypeError::New(value.Env(), "chunkers must be a Float64Array");
    }
    constexpr size_t width = 8;
    const auto numbers = value.As<Napi::Float64Array>();
    if (numbers.ElementLength() % width != 0) {
        throw Napi::TypeError::New(value.Env(), "a chunker is eight numbers");
    }
    const auto limit = [](double positions) {
        // Nothing looser than a candidate can be asked for, so the limit fits; anything that is not
        // a number fails below.
        return positions >= 2 ? static_cast<uint64_t>(std::ldexp(1.0 / positions, 64)) : UINT64_MAX;
    };
    const auto count = [](double bytes) {
        return bytes >= 0 && bytes < 1e15 ? static_cast<uint64_t>(bytes) : 0;
    };
    std::vector<ChunkProfile> profiles;
    for (size_t i = 0; i < numbers.ElementLength(); i += width) {
        const ChunkProfile profile{
            count(numbers[i]),
            count(numbers[i + 1]),
            count(numbers[i + 2]),
            limit(numbers[i + 3]),
            limit(numbers[i + 4]),
            drawNumber(count(numbers[i + 5])),
            static_cast<ChunkProfile::Runs>(std::min<uint64_t>(count(numbers[i + 6]), 2)),
            count(numbers[i + 7]) == 1};
        if (!profile.possible()) throw Napi::TypeError::New(value.Env(), "a chunker is out of range");
        profiles.push_back(profile);
    }
    if (profiles.size() > ShortChunks::mostProfiles) {
        throw Napi::TypeError::New(value.Env(), "there are too many chunkers");
    }
    return profiles;
}

std::vector<uint64_t> blockSizesFrom(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array) {
        throw Napi::TypeError::New(value.Env(), "block sizes must be a Float64Array");
    }
    const auto numbers = value.As<Napi::Float64Array>();
    std::vector<uint64_t> sizes;
    for (size_t i = 0; i < numbers.ElementLength(); ++i) {
        const double size = numbers[i];
        if (!(size >= LinearLevels::leastBytes && size <= LinearLevels::mostBytes)) {
            throw Napi::TypeError::New(value.Env(), "a block has 512 bytes to 16 MiB");
        }
        sizes.push_back(static_cast<uint64_t>(size));
    }
    if (sizes.size() > LinearLevels::mostSizes) {
        throw Napi::TypeError::New(value.Env(), "there are too many block sizes");
    }
    return sizes;
}

std::vector<std::string> pathsFrom(const Napi::Value& value) {
    if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), "paths must be an array");
    const auto list = value.As<Napi::Array>();
    std::vector<std::string> paths;
    for (uint32_t i = 0; i < list.Length(); ++i)
        paths.push_back(pathArgument(list.Get(i)));
    return paths;
}

RuleSettings rulesFrom(const Napi::Value& value) {
    if (value.IsNull()) return {};
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "rules must be an object");
    const auto object = value.As<Napi::Object>();
    RuleSettings rules;
    rules.given = textsArgument(object.Get("given"));
    rules.presets = textsArgument(object.Get("presets"));
    rules.ignoreFiles = flagArgument(object.Get("ignoreFiles"));
    rules.caches = flagArgument(object.Get("caches"));
    if (!object.Get("mostBytes").IsNull()) rules.mostBytes = countArgument(object.Get("mostBytes"));
    rules.oneFileSystem = flagArgument(object.Get("oneFileSystem"));
    const Napi::Value trials = object.Get("trials");
    if (!trials.IsArray()) throw Napi::TypeError::New(value.Env(), "trials must be an array");
    const auto lists = trials.As<Napi::Array>();
    for (uint32_t i = 0; i < lists.Length(); ++i)
        rules.trials.push_back(textsArgument(lists.Get(i)));
    return rules;
}

std::vector<uint8_t> bytesFrom(const Napi::Value& value, const char* problem) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
        throw Napi::TypeError::New(value.Env(), problem);
    const auto bytes = value.As<Napi::Uint8Array>();
    return {bytes.Data(), bytes.Data() + bytes.ElementLength()};
}

/** Null keeps none. The key is 16 bytes or null. */
std::optional<FingerprintTerms> fingerprintsFrom(const Napi::Value& value, const SurveyOptions& options) {
    if (value.IsNull()) return std::nullopt;
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "fingerprints must be an object");
    const auto object = value.As<Napi::Object>();
    FingerprintTerms terms;
    terms.shifts = bytesFrom(object.Get("shifts"), "shifts must be a Uint8Array");
    terms.scratch = pathArgument(object.Get("scratch"));
    terms.bufferBytes = countArgument(object.Get("bufferBytes"));
    const SketchTerms levels{options.blocksFrom512, options.chunkProfiles};
    if (!options.marks || terms.shifts.size() != levels.levels() + options.blockSizes.size())
        throw Napi::TypeError::New(value.Env(), "fingerprints need marks, and a shift for each level");
    if (object.Get("key").IsNull()) return terms;
    const std::vector<uint8_t> key = bytesFrom(object.Get("key"), "a key must be a Uint8Array");
    if (key.size() != sizeof(HashKey)) throw Napi::TypeError::New(value.Env(), "a key has 16 bytes");
    terms.key.emplace();
    std::memcpy(&*terms.key, key.data(), sizeof(HashKey));
    return terms;
}

SurveyOptions optionsFrom(const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "options must be an object");
    const auto object = value.As<Napi::Object>();
    SurveyOptions options;
    options.roots = pathsFrom(object.Get("roots"));
    options.leaveOut = pathsFrom(object.Get("leaveOut"));
    options.rules = rulesFrom(object.Get("rules"));
    options.countExcluded = flagArgument(object.Get("countExcluded"));
    options.walkOnly = flagArgument(object.Get("walkOnly"));
    options.listFirst = flagArgument(object.Get("listFirst"));
    options.blocksFrom512 = flagArgument(object.Get("blocksFrom512"));
    options.blockSizes = blockSizesFrom(object.Get("blockSizes"));
    options.sha256 = flagArgument(object.Get("sha256"));
    options.chunkProfiles = chunkProfilesFrom(object.Get("chunkers"));
    options.anchors = flagArgument(object.Get("anchors"));
    options.sampleBytes = countArgument(object.Get("sampleBytes"));
    options.maxTableBytes = countArgument(object.Get("maxTableBytes"));
    options.marks = flagArgument(object.Get("marks"));
    options.fingerprints = fingerprintsFrom(object.Get("fingerprints"), options);
    options.known = knownFilesArgument(object.Get("known"));
    options.threads = static_cast<unsigned>(std::min<uint64_t>(countArgument(object.Get("threads")), 64));
    return options;
}

Napi::Value entriesValue(Napi::Env env, const EntryColumns& entries, bool withSha256) {
    const size_t count = entries.count();
    if (count == 0) return env.Null();
    Napi::Object batch = Napi::Object::New(env);
    batch["count"] = static_cast<double>(count);
    batch["rootIndex"] = copied(env, entries.rootIndex.data(), count, napi_uint32_array);
    batch["pathBytes"] = copiedBytes(env, entries.paths.data(), entries.paths.size());
    batch["pathEnds"] = copied(env, entries.pathEnds.data(), count, napi_uint32_array);
    batch["kinds"] = copiedBytes(env, entries.kinds.data(), count);
    batch["fileNumbers"] = copied(env, entries.fileNumbers.data(), count, napi_uint32_array);
    batch["trustedAs"] = copied(env, entries.trustedAs.data(), count, napi_uint32_array);
    batch["bytes"] = copied(env, entries.bytes.data(), count, napi_float64_array);
    batch["allocatedBytes"] = copied(env, entries.allocatedBytes.data(), count, napi_float64_array);
    batch["mtimeNs"] = copied(env, entries.mtimeNs.data(), count, napi_bigint64_array);
    batch["ctimeNs"] = copied(env, entries.ctimeNs.data(), count, napi_bigint64_array);
    batch["device"] = copied(env, entries.device.data(), count, napi_biguint64_array);
    batch["inode"] = copied(env, entries.inode.data(), count, napi_biguint64_array);
    batch["mode"] = copied(env, entries.mode.data(), count, napi_uint32_array);
    batch["digests"] = copiedBytes(env, entries.digests.data(), entries.digests.size());
    batch["sha256"] =
        withSha256 ? copiedBytes(env, entries.sha256.data(), entries.sha256.size()) : Napi::Value(env.Null());
    batch["cells"] = copiedBytes(env, entries.cells.data(), entries.cells.size());
    Napi::Array links = Napi::Array::New(env, entries.linkTargets.size());
    for (uint32_t i = 0; i < entries.linkTargets.size(); ++i) {
        Napi::Object link = Napi::Object::New(env);
        link["index"] = entries.linkTargets[i].first;
        link["target"] =
            copiedBytes(env, entries.linkTargets[i].second.data(), entries.linkTargets[i].second.size());
        links[i] = link;
    }
    batch["linkTargets"] = links;
    Napi::Array skips = Napi::Array::New(env, entries.skips.size());
    for (uint32_t i = 0; i < entries.skips.size(); ++i) {
        Napi::Object skip = Napi::Object::New(env);
        skip["index"] = entries.skips[i].first;
        skip["code"] = skipCodeName(entries.skips[i].second.code);
        skip["cause"] = entries.skips[i].second.cause;
        skips[i] = skip;
    }
    batch["skips"] = skips;
    return batch;
}

Napi::Value progressValue(Napi::Env env, const SurveyProgress& progress) {
    Napi::Object value = Napi::Object::New(env);
    value["foldersFound"] = static_cast<double>(progress.foldersFound);
    value["filesFound"] = static_cast<double>(progress.filesFound);
    value["bytesFound"] = static_cast<double>(progress.bytesFound);
    value["walkFinished"] = progress.walkFinished;
    value["filesDone"] = static_cast<double>(progress.filesDone);
    value["entries"] = static_cast<double>(progress.entries);
    value["bytesDone"] = static_cast<double>(progress.bytesDone);
    value["current"] = progress.current.empty()
                           ? env.Null()
                           : copiedBytes(env, progress.current.data(), progress.current.size());
    return value;
}

Napi::Value leftOutValue(Napi::Env env, const std::vector<LeftOutFolder>& folders) {
    Napi::Array list = Napi::Array::New(env, folders.size());
    for (uint32_t i = 0; i < folders.size(); ++i) {
        Napi::Object folder = Napi::Object::New(env);
        folder["rootIndex"] = folders[i].rootIndex;
        folder["path"] = copiedBytes(env, folders[i].path.data(), folders[i].path.size());
        folder["files"] = static_cast<double>(folders[i].files);
        folder["bytes"] = static_cast<double>(folders[i].bytes);
        list[i] = folder;
    }
    return list;
}

Napi::Value excludedFilesValue(Napi::Env env, const ExcludedFiles& files) {
    const size_t count = files.count();
    if (count == 0) return env.Null();
    Napi::Object batch = Napi::Object::New(env);
    batch["count"] = static_cast<double>(count);
    batch["rootIndex"] = copied(env, files.rootIndex.data(), count, napi_uint32_array);
    batch["pathBytes"] = copiedBytes(env, files.paths.data(), files.paths.size());
    batch["pathEnds"] = copied(env, files.pathEnds.data(), count, napi_uint32_array);
    batch["rule"] = copied(env, files.rule.data(), count, napi_uint32_array);
    batch["bytes"] = copied(env, files.bytes.data(), count, napi_float64_array);
    return batch;
}

Napi::Value excludedFoldersValue(Napi::Env env, const std::vector<ExcludedFolder>& folders) {
    Napi::Array list = Napi::Array::New(env, folders.size());
    for (uint32_t i = 0; i < folders.size(); ++i) {
        const LeftOutFolder& counted = folders[i].folder;
        Napi::Object folder = Napi::Object::New(env);
        folder["rootIndex"] = counted.rootIndex;
        folder["path"] = copiedBytes(env, counted.path.data(), counted.path.size());
        folder["files"] = static_cast<double>(counted.files);
        folder["bytes"] = static_cast<double>(counted.bytes);
        folder["rule"] = folders[i].rule;
        list[i] = folder;
    }
    return list;
}

Napi::Value ruleCountsValue(Napi::Env env, const std::vector<RuleCount>& counts) {
    Napi::Array list = Napi::Array::New(env, counts.size());
    for (uint32_t i = 0; i < counts.size(); ++i) {
        const RuleCount& count = counts[i];
        Napi::Object rule = Napi::Object::New(env);
        rule["origin"] = static_cast<double>(count.origin);
        rule["rootIndex"] = count.rootIndex;
        rule["folder"] = copiedBytes(env, count.folder.data(), count.folder.size());
        rule["line"] = count.line;
        rule["text"] = copiedBytes(env, count.text.data(), count.text.size());
        rule["used"] = count.used;
        rule["files"] = static_cast<double>(count.files);
        rule["bytes"] = static_cast<double>(count.bytes);
        rule["folders"] = static_cast<double>(count.folders);
        list[i] = rule;
    }
    return list;
}

Napi::Value trialCountsValue(Napi::Env env, const std::vector<TrialCount>& counts) {
    Napi::Array list = Napi::Array::New(env, counts.size());
    for (uint32_t i = 0; i < counts.size(); ++i) {
        Napi::Object count = Napi::Object::New(env);
        count["files"] = static_cast<double>(counts[i].files);
        count["bytes"] = static_cast<double>(counts[i].bytes);
        list[i] = count;
    }
    return list;
}

Napi::Value ruleFaultsValue(Napi::Env env, const std::vector<RuleFileFault>& faults) {
    Napi::Array list = Napi::Array::New(env, faults.size());
    for (uint32_t i = 0; i < faults.size(); ++i) {
        Napi::Object fault = Napi::Object::New(env);
        fault["rootIndex"] = faults[i].rootIndex;
        fault["path"] = copiedBytes(env, faults[i].path.data(), faults[i].path.size());
        fault["line"] = faults[i].line;
        fault["column"] = faults[i].column;
        fault["cause"] = faults[i].cause;
        list[i] = fault;
    }
    return list;
}

Napi::Value sampleValue(Napi::Env env, const Sample& sample) {
    Napi::Object value = Napi::Object::New(env);
    value["rootIndex"] = sample.file.rootIndex;
    value["path"] = copiedBytes(env, sample.file.path.data(), sample.file.path.size());
    value["fileBytes"] = static_cast<double>(sample.file.bytes);
    value["offset"] = static_cast<double>(sample.offset);
    value["history"] = Napi::Buffer<uint8_t>::Copy(env, sample.history.data(), sample.history.size());
    value["data"] = Napi::Buffer<uint8_t>::Copy(env, sample.data.data(), sample.data.size());
    Napi::Array copies = Napi::Array::New(env, sample.copies.size());
    for (uint32_t level = 0; level < sample.copies.size(); ++level) {
        const std::vector<uint32_t>& counts = sample.copies[level];
        copies[level] = copied(env, counts.data(), counts.size(), napi_uint32_array);
    }
    value["copies"] = copies;
    return value;
}

/**
 * A survey's samples on their way to JavaScript, some at a time: all at once would hold its thread.
 */
struct SampleHandout {
    std::vector<Sample> samples;
    size_t next = 0;
};

Napi::Value samplesValue(Napi::Env env, Samples& kept, SampleHandout& handout, double wantedBytes) {
    if (handout.samples.empty()) handout.samples = kept.take();
    Napi::Array values = Napi::Array::New(env);
    // Making a sample's objects takes as long as copying so many bytes: some 20 microseconds.
    const double sampleCost = 32 * 1024;
    double bytes = 0;
    for (uint32_t index = 0; bytes < wantedBytes && handout.next < handout.samples.size(); ++index) {
        const Sample sample = std::move(handout.samples[handout.next++]); // freed as soon as it is copied
        values[index] = sampleValue(env, sample);
        bytes += sampleCost + static_cast<double>(sample.data.size());
    }
    if (handout.next == handout.samples.size()) handout = {};
    const double tau = kept.tau();
    Napi::Object taken = Napi::Object::New(env);
    taken["tau"] = std::isinf(tau) ? env.Null() : Napi::Value(Napi::Number::New(env, tau));
    taken["samples"] = values;
    return taken;
}

Napi::Value readingValue(Napi::Env env, const SurveyReading& reading) {
    Napi::Object value = Napi::Object::New(env);
    value["deviceKind"] = platform::deviceKindName(reading.deviceKind);
    value["asked"] = reading.asked;
    value["first"] = reading.first;
    value["threads"] = reading.threads;
    value["most"] = reading.most;
    Napi::Array trials = Napi::Array::New(env, reading.trials.size());
    for (uint32_t i = 0; i < reading.trials.size(); ++i) {
        Napi::Object trial = Napi::Object::New(env);
        trial["from"] = reading.trials[i].from;
        trial["to"] = reading.trials[i].to;
        trial["gain"] = reading.trials[i].gain;
        trial["kept"] = reading.trials[i].kept;
        trials[i] = trial;
    }
    value["trials"] = trials;
    return value;
}

/** Saving a survey's sketch on a thread of its own. */
class SketchSaving {
  public:
    SketchSaving(std::shared_ptr<Survey> survey, std::string path)
        : survey_(std::move(survey)), path_(std::move(path)) {}
    void run() {
        try {
            survey_->saveSketch(path_);
        } catch (const SketchError& error) {
            failure_ = error.what();
        }
    }
    void cancel() {}
    [[nodiscard]] const std::string& failure() const { return failure_; }

  private:
    std::shared_ptr<Survey> survey_;
    std::string path_;
    std::string failure_;
};

/** Merging the next rows of a level on a thread of its own. */
class FingerprintTaking {
  public:
    FingerprintTaking(std::shared_ptr<Survey> survey, unsigned level, size_t most)
        : survey_(std::move(survey)), level_(level), most_(most) {}
    void run() {
        try {
            columns_ = survey_->takeFingerprints(level_, most_);
        } catch (const FingerprintError& error) {
            failure_ = error.what();
        }
    }
    void cancel() {}
    [[nodiscard]] Napi::Value value(Napi::Env env) const {
        Napi::Object value = Napi::Object::New(env);
        value["failure"] = failure_.empty() ? env.Null() : Napi::Value(Napi::String::New(env, failure_));
        value["hash"] = copied(env, columns_.hash.data(), columns_.hash.size(), napi_bigint64_array);
        value["bytes"] = copied(env, columns_.bytes.data(), columns_.bytes.size(), napi_bigint64_array);
        value["file"] = copied(env, columns_.file.data(), columns_.file.size(), napi_int32_array);
        value["count"] = copied(env, columns_.count.data(), columns_.count.size(), napi_int32_array);
        return value;
    }

  private:
    std::shared_ptr<Survey> survey_;
    unsigned level_;
    size_t most_;
    FingerprintColumns columns_;
    std::string failure_;
};

template <typename Item, typename Array> std::vector<Item> itemsOf(const Napi::Value& value) {
    const auto items = value.As<Array>();
    return {items.Data(), items.Data() + items.ElementLength()};
}

/** The columns of `FingerprintTaking::value`. */
FingerprintColumns fingerprintColumnsFrom(const Napi::CallbackInfo& info, size_t first) {
    constexpr std::array types{napi_bigint64_array, napi_bigint64_array, napi_int32_array, napi_int32_array};
    for (size_t at = 0; at < types.size(); ++at) {
        if (!info[first + at].IsTypedArray() ||
            info[first + at].As<Napi::TypedArray>().TypedArrayType() != types[at]) {
            throw Napi::TypeError::New(info.Env(), "fingerprints are four columns of numbers");
        }
    }
    FingerprintColumns columns;
    columns.hash = itemsOf<int64_t, Napi::BigInt64Array>(info[first]);
    columns.bytes = itemsOf<int64_t, Napi::BigInt64Array>(info[first + 1]);
    columns.file = itemsOf<int32_t, Napi::Int32Array>(info[first + 2]);
    columns.count = itemsOf<int32_t, Napi::Int32Array>(info[first + 3]);
    const size_t rows = columns.rows();
    if (columns.hash.size() != rows || columns.bytes.size() != rows || columns.count.size() != rows)
        throw Napi::TypeError::New(info.Env(), "columns of fingerprints have one length");
    return columns;
}

/** Giving hundreds of megabytes back takes the system some time. */
struct TableFreeing {
    explicit TableFreeing(std::shared_ptr<Survey> of) : survey(std::move(of)) {}
    void run() const { survey->freeTables(); }
    void cancel() {}
    std::shared_ptr<Survey> survey;
};

/**
 * The state that JavaScript's functions share. They are freed when V8 collects them, which it may
 * do after hundreds of surveys, for it does not see their memory: so the survey itself can be
 * released before.
 */
struct Held {
    std::shared_ptr<Survey> survey;
    SampleHandout handout;
    [[nodiscard]] std::shared_ptr<Survey> open(Napi::Env env) const {
        if (!survey) throw Napi::Error::New(env, "the survey is closed");
        return survey;
    }
};

/**
 * Giving back all that a survey held, and what other work has freed in the heaps since the last
 * one.
 */
struct SurveyClosing {
    explicit SurveyClosing(Held last) : held(std::move(last)) {}
    void run() {
        held = {};
        platform::trimHeaps();
    }
    void cancel() {}
    Held held;
};

/** A method of the survey as long as it is open. */
template <typename Call>
void surveyMethod(Napi::Object& object, const char* name, const std::shared_ptr<Held>& held, Call call) {
    method(object, name, held,
           [call](const Napi::CallbackInfo& info, Held& open) { return call(info, open.open(info.Env())); });
}

} // namespace

Napi::Value startSurvey(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const auto survey = std::make_shared<Survey>(optionsFrom(info[0]));
    const auto held = std::make_shared<Held>(Held{survey, {}});
    using Open = std::shared_ptr<Survey>;
    using Info = Napi::CallbackInfo;
    Napi::Object object = Napi::Object::New(env);
    object["finished"] =
        AsyncJob<Survey>::start(env, "stowage survey", survey, [](Napi::Env at, Survey& done) -> Napi::Value {
            Napi::Object end = Napi::Object::New(at);
            end["cancelled"] = done.cancelled();
            end["peakRssBytes"] = static_cast<double>(platform::peakResidentBytes());
            end["reading"] = readingValue(at, done.reading());
            const std::optional<uint64_t> cloned = done.clonedBytes();
            end["clonedBytes"] =
                cloned ? Napi::Value(Napi::Number::New(at, static_cast<double>(*cloned))) : at.Null();
            return end;
        });
    surveyMethod(object, "takeEntries", held, [](const Info& call, const Open& open) {
        return entriesValue(call.Env(), open->takeEntries(), open->withSha256());
    });
    surveyMethod(object, "takeListed", held, [](const Info& call, const Open& open) {
        return entriesValue(call.Env(), open->takeListed(), false);
    });
    surveyMethod(object, "startReading", held, [](const Info&, const Open& open) { open->startReading(); });
    surveyMethod(object, "deviceKind", held, [](const Info& call, const Open& open) {
        return Napi::String::New(call.Env(), platform::deviceKindName(open->reading().deviceKind));
    });
    surveyMethod(object, "progress", held, [](const Info& call, const Open& open) {
        return progressValue(call.Env(), open->progress());
    });
    surveyMethod(object, "leftOut", held, [](const Info& call, const Open& open) {
        return leftOutValue(call.Env(), open->leftOut());
    });
    surveyMethod(object, "takeExcludedFiles", held, [](const Info& call, const Open& open) {
        return excludedFilesValue(call.Env(), open->takeExcludedFiles());
    });
    surveyMethod(object, "excludedFolders", held, [](const Info& call, const Open& open) {
        return excludedFoldersValue(call.Env(), open->excludedFolders());
    });
    surveyMethod(object, "ruleCounts", held, [](const Info& call, const Open& open) {
        return ruleCountsValue(call.Env(), open->ruleCounts());
    });
    surveyMethod(object, "trialCounts", held, [](const Info& call, const Open& open) {
        return trialCountsValue(call.Env(), open->trialCounts());
    });
    surveyMethod(object, "ruleFaults", held, [](const Info& call, const Open& open) {
        return ruleFaultsValue(call.Env(), open->ruleFaults());
    });
    surveyMethod(object, "blockLevels", held, [](const Info& call, const Open& open) {
        return levelsValue(call.Env(), open->blockLevels());
    });
    surveyMethod(object, "chunkLevels", held, [](const Info& call, const Open& open) {
        return chunkLevelsValue(call.Env(), open->chunkLevels());
    });
    method(object, "takeSamples", held, [](const Info& call, Held& open) {
        return samplesValue(call.Env(), open.open(call.Env())->samples(), open.handout,
                            call[0].As<Napi::Number>());
    });
    surveyMethod(object, "saveSketch", held, [](const Info& call, const Open& open) {
        const auto saving = std::make_shared<SketchSaving>(open, pathArgument(call[0]));
        return AsyncJob<SketchSaving>::start(
            call.Env(), "stowage sketch", saving, [](Napi::Env at, SketchSaving& done) -> Napi::Value {
                return done.failure().empty() ? at.Null()
                                              : Napi::Value(Napi::String::New(at, done.failure()));
            });
    });
    surveyMethod(object, "addFingerprints", held, [](const Info& call, const Open& open) {
        open->addFingerprints(static_cast<unsigned>(std::min<uint64_t>(countArgument(call[0]), UINT8_MAX)),
                              fingerprintColumnsFrom(call, 1));
    });
    surveyMethod(object, "takeFingerprints", held, [](const Info& call, const Open& open) {
        const auto taking = std::make_shared<FingerprintTaking>(
            open, static_cast<unsigned>(std::min<uint64_t>(countArgument(call[0]), UINT8_MAX)),
            countArgument(call[1]));
        return AsyncJob<FingerprintTaking>::start(
            call.Env(), "stowage fingerprints", taking,
            [](Napi::Env at, FingerprintTaking& done) -> Napi::Value { return done.value(at); });
    });
    surveyMethod(object, "freeTables", held, [](const Info& call, const Open& open) {
        return AsyncJob<TableFreeing>::start(call.Env(), "stowage tables",
                                             std::make_shared<TableFreeing>(open),
                                             [](Napi::Env at, TableFreeing&) { return at.Undefined(); });
    });
    surveyMethod(object, "takeAnchors", held,
                 [](const Info& call, const Open& open) { return takeAnchors(call.Env(), open); });
    method(object, "close", held, [](const Info& call, Held& open) {
        return AsyncJob<SurveyClosing>::start(call.Env(), "stowage closing",
                                              std::make_shared<SurveyClosing>(std::exchange(open, {})),
                                              [](Napi::Env at, SurveyClosing&) { return at.Undefined(); });
    });
    surveyMethod(object, "pause", held, [](const Info&, const Open& open) { open->pause(); });
    surveyMethod(object, "resume", held, [](const Info&, const Open& open) { open->resume(); });
    surveyMethod(object, "cancel", held, [](const Info&, const Open& open) { open->cancel(); });
    return object;
}

} // namespace stowage::binding
