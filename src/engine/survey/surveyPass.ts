import type { SurveyDocument, SurveyRequest } from '../../contract/dto/survey'
import { blockPasses } from '../../domain/survey/blockSizes'
import { CHUNKERS, type Chunker } from '../../domain/survey/chunkers'
import { digestNumbers } from '../../domain/survey/digestNumbers'
import { provisionalFigures } from '../../domain/survey/levelFigures'
import { NO_RULES } from '../../domain/survey/rules/rules'
import { hasForecasts, type SurveyParts, surveyDocument } from '../../domain/survey/surveyParts'
import type { SurveyWriter } from '../catalog/catalog'
import type { Fingerprinting } from '../fingerprints/fingerprinting'
import { sampleBytesFor } from '../forecast/codecs/codecSamples'
import { ForecastWork } from '../forecast/forecastWork'
import { type SolidFiles, solidFiles } from '../forecast/solid/solidFiles'
import type { JobContext } from '../jobs/jobContext'
import type { Work } from '../jobs/workEstimate'
import {
  type EntryBatch,
  NATIVE_KIND,
  type NativeSurvey,
  NO_FILE_NUMBER,
  startNativeSurvey,
} from '../native/addon'
import { type CarryOver, carryOver } from './carryOver'
import { type Earlier, hasForecastsFor, type KnownFiles } from './earlierSurvey'
import { firstLook, type LookAtListed } from './firstLook'
import { followPass, type PassEnd } from './followPass'
import { entryCells, newEntries } from './newEntries'
import { otherSets } from './otherSets'
import { excludedList } from './rules/excludedList'
import { nativeRules } from './rules/nativeRules'
import type { SketchFolder } from './sketchFolder'
import { type SketchKeeper, sketchKeeper } from './sketchKeeper'
import { absolutePath, isSkip, readFigures, type SurveyFigures, surveyFigures } from './surveyFigures'
import { type TrustedSamples, trustedSamples } from './trustedSamples'

/** The task of a pass, and the receivers of its findings. */
export interface PassSetting {
  readonly request: SurveyRequest
  readonly surveyId: string
  readonly createdWallMs: number
  readonly startedMs: number
  readonly roots: readonly string[]
  /** Folders that are not surveyed where they are met below a root. */
  readonly leaveOut: readonly string[]
  readonly earlier: Earlier | null
  /** The sketch of the earlier survey, null without one. */
  readonly earlierPlace: string | null
  readonly notTrusted: SurveyDocument['notTrusted']
  readonly known: KnownFiles | null
  readonly writer: SurveyWriter
  readonly sketches: SketchFolder
  readonly checkpointMs: number
  /** Null: no fingerprints are kept. */
  readonly fingerprinting: Fingerprinting | null
  readonly lookAt?: LookAtListed
}

/** A pass whose entries go to the catalog and into the figures. */
export interface SurveyPass {
  readonly native: NativeSurvey
  readonly figures: SurveyFigures
  readonly ledger: CarryOver
  readonly keeper: SketchKeeper
  /** The files, where solid archives are asked about and all were read. After `follow`. */
  solidFiles(): SolidFiles | null
  /** Samples of unchanged files, for new forecasts; null where the earlier forecasts are kept. */
  readonly resampled: TrustedSamples | null
  /** Work that follows the pass; none where unchanged files keep their forecasts. */
  forecastWork(): readonly Work[]
  /** All that is known at this moment of a survey that is not finished. */
  partsNow(): SurveyParts
  /** Takes everything from the pass. */
  follow(): Promise<PassEnd>
}

/** Starts reading. Nothing is taken from the pass before `follow`. */
export function startSurveyPass(setting: PassSetting, context: JobContext): SurveyPass {
  const { request, roots, earlier, known, writer } = setting
  const level = hasForecasts(request.samples) ? request.samples : null
  const sampleBytes = level === null ? 0 : sampleBytesFor(level)
  const resampled =
    earlier && level !== null && !hasForecastsFor(earlier, request.samples)
      ? trustedSamples(sampleBytes)
      : null
  const digests = digestNumbers()
  let files = level === null ? null : solidFiles(roots, digests)
  const figures = surveyFigures(roots, { digests, withStrata: level !== null })
  const ledger = carryOver(known)
  const sets = otherSets(roots)
  const passes = blockPasses(request.blockSizes ?? [])
  const { lookAt } = setting
  const fromSeconds = earlier === null && lookAt ? (request.lookFromSeconds ?? null) : null
  const native = startNativeSurvey({
    roots,
    leaveOut: setting.leaveOut,
    listFirst: fromSeconds !== null,
    rules: nativeRules(request.rules),
    blocksFrom512: passes.from512,
    blockSizes: passes.linear,
    sha256: request.sha256,
    chunkers: chunkersOf(request),
    fingerprints: setting.fingerprinting?.native,
    anchors: files !== null,
    maxTableBytes: request.maxMemoryBytes,
    sampleBytes,
    known: known?.native,
    ...(request.threads !== undefined && { threads: request.threads }),
  })
  const excluded = excludedList(native, roots, { rules: request.rules, counted: false })

  const partsNow = ({ isLive = false } = {}): SurveyParts => {
    const entries = figures.figures()
    const counts = ledger.counts()
    const levels = { blockLevels: native.blockLevels(), chunkLevels: native.chunkLevels() }
    const { filesFound, filesDone, bytesFound, bytesDone, walkFinished } = native.progress()
    const elapsedMs = context.clock.monotonicMs() - setting.startedMs
    return {
      about: {
        id: setting.surveyId,
        createdWallMs: setting.createdWallMs,
        roots: [...roots],
        ...(request.project && { project: request.project }),
        rules: request.rules ?? NO_RULES,
        sha256: request.sha256,
        samples: request.samples,
        notTrusted: setting.notTrusted,
      },
      earlier: earlier && earlier.document,
      counts,
      entries,
      cuts: provisionalFigures(levels, entries.duplicateFiles.bytes, counts),
      forecasts: {},
      forecastsFrom: resampled ? 'sampled' : 'joined',
      timing: {
        passMs: elapsedMs,
        wallMs: elapsedMs,
        peakRssBytes: process.memoryUsage.rss(),
        threads: 0,
        reading: null,
      },
      partial: true,
      folders: {
        leftOut: native.leftOut().toSorted((one, other) => (one.path < other.path ? -1 : 1)),
        otherSets: sets.folders(),
      },
      // The list may be long, and live figures do not show it.
      excluded: isLive ? null : excluded.excluded(),
      unread: {
        files: filesFound - filesDone,
        bytes: Math.max(0, bytesFound - bytesDone),
        atLeast: !walkFinished,
      },
      awaitsForecasts: false,
    }
  }

  const look =
    fromSeconds === null || !lookAt
      ? null
      : firstLook(native, {
          fromSeconds,
          lookAt,
          about() {
            const { about, excluded: left, timing } = partsNow()
            return {
              roots: about.roots,
              rules: about.rules ?? NO_RULES,
              excluded: left,
              elapsedMs: timing.passMs,
            }
          },
        })

  const keeper = sketchKeeper(native, {
    surveyId: setting.surveyId,
    earlierPlace: setting.earlierPlace,
    ledger,
    sketches: setting.sketches,
    writer,
    clock: context.clock,
    checkpointMs: setting.checkpointMs,
  })

  const take = (batch: EntryBatch, from: number, to: number, firstId: number): void => {
    ledger.add(batch, from, to, firstId)
    // A part of the source says nothing about one archive of everything.
    if (ledger.counts().trustedFiles > 0) files = null
    if (from === 0) files?.add(batch, firstId)
    figures.add(batch, from, to, ledger)
    sets.add(batch, from, to)
    writer.addCells(entryCells(batch, from, to, firstId))
    const others = [...newEntries(batch, from, to, firstId, ledger)]
    if (others.length > 0) writer.add(others)
    for (const [index, skip] of batch.skips) {
      if (index >= from && index < to && isSkip(skip))
        writer.skip({ path: absolutePath(batch, index, roots), ...skip })
    }
    if (resampled) sampleTrusted(resampled, batch, from, to)
  }
  const forecastWork = (): readonly Work[] => {
    if (level === null || (known && !resampled && ledger.counts().readBytes === 0)) return []
    return new ForecastWork(level, files !== null).rows()
  }
  const progress = (counts: ReturnType<NativeSurvey['progress']>): void => {
    const counted = { done: counts.filesDone, total: counts.walkFinished ? counts.filesFound : null }
    const bytes = { done: counts.bytesDone, total: counts.walkFinished ? counts.bytesFound : null }
    context.progress({
      phase: {
        index: 1,
        count: level === null ? 1 : files === null ? 2 : 3,
        name: look?.phase() ?? 'reading',
      },
      filesDone: counted.done,
      filesTotal: counted.total,
      bytesDone: bytes.done,
      bytesTotal: bytes.total,
      current: counts.current,
      work: [
        ...(look?.work() ?? []),
        { kind: 'reading', unit: 'bytes', ...bytes, files: counted },
        ...forecastWork(),
      ],
    })
  }

  const follower: Parameters<typeof followPass>[2] = {
    take,
    progress,
    live() {
      const { duplicateFiles: _atTheEnd, ...soFar } = readFigures(surveyDocument(partsNow({ isLive: true })))
      // What unchanged files share is known at the end only: figures of the others alone would look like those of all.
      const blocks = ledger.counts().trustedBytes > 0 ? { fixedBlocks: [], chunked: [] } : {}
      const lookId = look?.id() ?? null
      context.live({ ...soFar, ...blocks, ...(lookId !== null && { lookId }) })
    },
    between(entries) {
      excluded.take()
      keeper.between(entries, partsNow)
    },
  }

  return {
    native,
    figures,
    ledger,
    keeper,
    solidFiles: () => files,
    resampled,
    forecastWork,
    partsNow,
    async follow() {
      const looking = look?.run(context)
      try {
        return await followPass(native, context, follower)
      } finally {
        look?.end()
        await looking
      }
    },
  }
}

/** The chunkers that a survey counts. */
export function chunkersOf({ samples }: SurveyRequest): readonly Chunker[] {
  return samples === 'quick' ? [] : CHUNKERS
}

function sampleTrusted(samples: TrustedSamples, batch: EntryBatch, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    if (batch.kinds[index] !== NATIVE_KIND.file || batch.trustedAs[index] === NO_FILE_NUMBER) continue
    samples.add({
      rootIndex: batch.rootIndex[index] ?? 0,
      path: batch.pathBytes.subarray(index === 0 ? 0 : batch.pathEnds[index - 1], batch.pathEnds[index]),
      bytes: batch.bytes[index] ?? 0,
    })
  }
}
