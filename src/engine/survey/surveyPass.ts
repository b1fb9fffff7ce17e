import { SURVEY_SCHEMA, type SurveyDocument, type SurveyRequest } from '../../contract/dto/survey'
import { CHUNKERS } from '../../domain/survey/chunkers'
import { digestNumbers } from '../../domain/survey/digestNumbers'
import { seededRandom } from '../../primitives/seededRandom'
import type { SurveyWriter } from '../catalog/catalog'
import { sampleLevel } from '../forecast/codecs/codecPhase'
import { sampleBytesFor } from '../forecast/codecs/codecSamples'
import type { SampleLevel } from '../forecast/codecs/codecSamplesTargets'
import { expectedForecastMs } from '../forecast/secondPhaseBudget'
import { type SolidFiles, solidFiles } from '../forecast/solid/solidFiles'
import type { JobContext } from '../jobs/jobContext'
import {
  type EntryBatch,
  NATIVE_KIND,
  type NativeSurvey,
  NO_FILE_NUMBER,
  startNativeSurvey,
} from '../native/addon'
import { type Earlier, hasForecastsFor, type KnownFiles } from './earlierSurvey'
import { followPass, type PassEnd } from './followPass'
import { entryCells, newEntries } from './newEntries'
import type { SketchFolder } from './sketchFolder'
import { type SketchKeeper, sketchKeeper } from './sketchKeeper'
import {
  absolutePath,
  provisionalFigures,
  readFigures,
  type SurveyFigures,
  surveyFigures,
} from './surveyFigures'
import { type TrustedSamples, trustedSamples } from './trustedSamples'
import { type TrustLedger, trustLedger } from './trustLedger'
import { unitedFigures } from './unitedFigures'

/** What a pass is to do and where its findings go. */
export interface PassSetting {
  readonly request: SurveyRequest
  readonly surveyId: string
  readonly createdWallMs: number
  readonly startedMs: number
  readonly roots: readonly string[]
  readonly earlier: Earlier | null
  /** The sketch of the earlier survey, null without one. */
  readonly earlierPlace: string | null
  readonly notTrusted: SurveyDocument['notTrusted']
  readonly known: KnownFiles | null
  readonly writer: SurveyWriter
  readonly sketches: SketchFolder
  readonly checkpointMs: number
}

/** A pass whose entries go to the catalog and into the figures. */
export interface SurveyPass {
  readonly native: NativeSurvey
  readonly figures: SurveyFigures
  readonly ledger: TrustLedger
  readonly keeper: SketchKeeper
  /** The files, where solid archives are asked about and all were read. After `follow`. */
  solidFiles(): SolidFiles | null
  /** What was chosen of the trusted files where forecasts have to be made anew; null where the earlier ones do. */
  readonly resampled: TrustedSamples | null
  /** All that is known at this moment, as the document of a survey that is not finished. */
  documentNow(): SurveyDocument
  /** Takes everything from the pass. */
  follow(): Promise<PassEnd>
}

/** Starts reading. Nothing is taken from the pass before `follow`. */
export function startSurveyPass(setting: PassSetting, context: JobContext): SurveyPass {
  const { request, roots, earlier, known, writer } = setting
  const level = sampleLevel(request.samples)
  const sampleBytes = level === null ? 0 : sampleBytesFor(level)
  const resampled =
    earlier && level !== null && !hasForecastsFor(earlier, request.samples)
      ? trustedSamples(sampleBytes, seededRandom(1))
      : null
  const digests = digestNumbers()
  let files = level === null ? null : solidFiles(roots, digests)
  const figures = surveyFigures(roots, { digests, withStrata: level !== null })
  const ledger = trustLedger(known)
  const native = startNativeSurvey({
    roots,
    blocksFrom512: request.blocksFrom512,
    sha256: request.sha256,
    chunkers: request.samples === 'quick' ? [] : CHUNKERS,
    anchors: files !== null,
    maxTableBytes: request.maxMemoryBytes,
    sampleBytes,
    known: known?.native,
  })

  const documentNow = (): SurveyDocument => {
    const sums = figures.figures()
    const counts = ledger.counts()
    const levels = { blockLevels: native.blockLevels(), chunkLevels: native.chunkLevels() }
    const elapsedMs = context.clock.monotonicMs() - setting.startedMs
    return {
      schema: SURVEY_SCHEMA,
      id: setting.surveyId,
      createdWallMs: setting.createdWallMs,
      roots: [...roots],
      ...sums,
      ...provisionalFigures(levels, sums.duplicateFiles.bytes, counts),
      compression: [],
      combined: [],
      solid: [],
      sha256: request.sha256,
      timing: {
        passMs: elapsedMs,
        wallMs: elapsedMs,
        peakRssBytes: process.memoryUsage.rss(),
        threads: 0,
        reading: null,
      },
      partial: true,
      samples: request.samples,
      trusted:
        counts.trustedFiles === 0
          ? null
          : earlier && {
              surveyId: earlier.document.id,
              createdWallMs: earlier.document.createdWallMs,
              partial: earlier.document.partial,
              files: counts.trustedFiles,
              bytes: counts.trustedBytes,
              forecasts: resampled ? 'sampled' : 'joined',
            },
      notTrusted: setting.notTrusted,
    }
  }

  const keeper = sketchKeeper(native, {
    surveyId: setting.surveyId,
    earlierPlace: setting.earlierPlace,
    ledger,
    sketches: setting.sketches,
    writer,
    clock: context.clock,
    checkpointMs: setting.checkpointMs,
    withUnion: (document, union) =>
      earlier ? unitedFigures(document, union, earlier.document, countsOf(document)) : document,
  })

  const take = (batch: EntryBatch, from: number, to: number, firstId: number): void => {
    ledger.add(batch, from, to, firstId)
    // Of an archive of everything nothing can be told from a part of it.
    if (ledger.counts().trustedFiles > 0) files = null
    if (from === 0) files?.add(batch, firstId)
    figures.add(batch, from, to, ledger)
    writer.addCells(entryCells(batch, from, to, firstId))
    const others = [...newEntries(batch, from, to, firstId, ledger)]
    if (others.length > 0) writer.add(others)
    for (const [index, skip] of batch.skips) {
      if (index >= from && index < to) writer.skip({ path: absolutePath(batch, index, roots), ...skip })
    }
    if (resampled) sampleTrusted(resampled, batch, from, to)
  }
  const progress = (told: ReturnType<NativeSurvey['progress']>): void =>
    context.progress({
      phase: { index: 1, count: level === null ? 1 : files === null ? 2 : 3, name: 'reading' },
      filesDone: told.filesDone,
      filesTotal: told.walkFinished ? told.filesFound : null,
      bytesDone: told.bytesDone,
      bytesTotal: told.walkFinished ? told.bytesFound : null,
      current: told.current,
      expected: { phaseMs: null, laterMs: level === null ? 0 : laterMs(level, files !== null) },
    })

  return {
    native,
    figures,
    ledger,
    keeper,
    solidFiles: () => files,
    resampled,
    documentNow,
    follow: () =>
      followPass(native, context, {
        take,
        progress,
        live() {
          const { duplicateFiles: _atTheEnd, ...soFar } = readFigures(documentNow())
          // What trusted files share is known when everything is: of the others alone it would pass for that of all.
          const blocks = ledger.counts().trustedBytes > 0 ? { fixedBlocks: [], chunked: [] } : {}
          context.live({ ...soFar, ...blocks })
        },
        between: (entries) => keeper.between(entries, documentNow),
      }),
  }
}

/** What the forecasts after the pass are expected to take. */
function laterMs(level: SampleLevel, areSolidsAsked: boolean): number {
  const { codecs, solid } = expectedForecastMs(level)
  return codecs + (areSolidsAsked ? solid : 0)
}

/** What the ledger had counted when the document was made. */
function countsOf({ totals, trusted }: SurveyDocument): ReturnType<TrustLedger['counts']> {
  const trustedFiles = trusted?.files ?? 0
  const trustedBytes = trusted?.bytes ?? 0
  return {
    trustedFiles,
    trustedBytes,
    readFiles: totals.files - trustedFiles,
    readBytes: totals.bytes - trustedBytes,
  }
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
