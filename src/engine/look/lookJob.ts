/**
 * The room `look` reads a small sample of a source and estimates what a survey would find.
 * How: a walk has drawn what is to be read; it is read in batches that count only
 * whole (`wholeBatches`), units for codecs and files of equal size to be compared.
 * Not here: listing (`survey/walk`), trying codecs (`forecast`), estimators (`src/domain/look`).
 */

import type { LookRequest } from '../../contract/dto/look'
import {
  type LookDocument,
  type LookEnd,
  type LookIdentical,
  ONLY_SURVEY,
} from '../../domain/look/lookDocument'
import { surveySeconds } from '../../domain/look/surveyTime'
import type { WalkDocument } from '../../domain/survey/sourceWalk'
import { withTypeForecasts } from '../../domain/survey/typeCompression'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { codecPhase } from '../forecast/codecs/codecPhase'
import { ForecastWork } from '../forecast/forecastWork'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import type { KeptResults } from '../jobs/keptResults'
import type { LookSource } from '../survey/walk/lookSource'
import { type SourceReader, sourceReader } from '../survey/walk/sourceReader'
import type { SourceWalk } from '../survey/walk/walkJob'
import { compareFiles } from './compareFiles'
import { type ReadUnits, readUnits } from './readUnits'

/** Units are read for so long at most, and files of equal size compared for so long besides. */
const READ_MS = 20_000
const COMPARE_MS = 10_000

/** The level of the codecs' budget: that of a survey. */
const LEVEL = 'normal'

interface LookTools {
  readonly looks: KeptResults<LookDocument>
  /** Reads files; from the disk by default. */
  readonly reader?: SourceReader
  /** Called when it reads no more, but for some around few units; its estimates follow. */
  readonly onRead?: () => void
  /** Tells one choice of what slow codecs see of the sample from another. */
  readonly seed?: number
}

/**
 * Reads a sample of a source that a walk has listed, and keeps what it says as a document, which is
 * there from the beginning and becomes more precise. A look that is cancelled keeps what is known.
 * @throws AppError `not-found` for a walk that is not kept any more, `refused` for one without a
 *   draw
 */
export function lookJob(
  { walkId }: LookRequest,
  tools: LookTools & { readonly walks: KeptResults<SourceWalk> },
): Job {
  const { document, look: source } = tools.walks.get(walkId)
  if (source === null)
    throw new AppError('refused', said`cannot look at the sources of ${walkId}: the walk drew no sample`)
  return {
    kind: 'look',
    title: said`Look at the sources`,
    run: (context) => lookAtSource(document, source, tools, context),
  }
}

/** The facts of a listing that a look at it repeats. */
export type Listed = Pick<WalkDocument, 'id' | 'roots' | 'rules' | 'excluded' | 'skipped' | 'elapsedMs'>

/**
 * Reads a sample of a listed source, see `lookJob`.
 * @returns the ID under which the look is kept, which is the listing's
 */
export async function lookAtSource(
  listed: Listed,
  { figures, strata, types: listedTypes, drawn, deviceKind }: LookSource,
  tools: LookTools,
  context: JobContext,
): Promise<JobResult> {
  const { clock, signal } = context
  const startedMs = clock.monotonicMs()
  const id = listed.id
  const reader = tools.reader ?? sourceReader(listed.roots, deviceKind)
  let units: ReadUnits | null = null
  let aroundBytes = 0
  let comparedBytes = 0
  let document: LookDocument = {
    schema: 'stowage.look/1',
    id,
    createdWallMs: clock.wallMs(),
    roots: listed.roots,
    rules: listed.rules,
    excluded: listed.excluded,
    ...figures,
    compression: [],
    identical: null,
    sample: { units: 0, bytes: 0, readBytes: 0, unreadable: 0, end: 'all' },
    onlySurvey: [...ONLY_SURVEY],
    surveySeconds: surveySeconds(figures.totals.bytes, figures.totals.files, deviceKind),
    skipped: listed.skipped,
    timing: { walkMs: listed.elapsedMs, lookMs: 0 },
  }
  const keep = (more: Partial<LookDocument> = {}): void => {
    const bytes = units?.set.samples.reduce((sum, { data }) => sum + data.length, 0) ?? 0
    document = {
      ...document,
      ...more,
      sample: {
        units: units?.set.samples.length ?? 0,
        bytes,
        readBytes: (units?.readBytes ?? 0) + aroundBytes + comparedBytes,
        unreadable: units?.unreadable ?? 0,
        end: signal.aborted ? 'cancelled' : endOf(units, drawn.tau),
      },
      timing: { ...document.timing, lookMs: clock.monotonicMs() - startedMs },
    }
    tools.looks.keep(id, document)
  }
  keep()
  const work = new ForecastWork(LEVEL, false)
  const unitBytes = drawn.units.reduce((sum, { length }) => sum + length, 0)
  const tell = (done: number): void =>
    context.progress({
      phase: { index: 1, count: 2, name: 'looking' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: Math.min(done, unitBytes),
      bytesTotal: unitBytes,
      current: null,
      work: [
        { kind: 'reading', unit: 'bytes', done: Math.min(done, unitBytes), total: unitBytes },
        ...work.rows(),
      ],
    })
  tell(0)
  const isOverAfter = (mostMs: number): (() => boolean) => {
    const fromMs = clock.monotonicMs()
    return () => signal.aborted || clock.monotonicMs() - fromMs > mostMs
  }
  units = await readUnits(drawn.units, drawn.tau, drawn.fileOf, reader, {
    isOver: isOverAfter(READ_MS),
    onBytes: tell,
  })
  keep()
  const cancelled = (): JobResult => {
    keep()
    return { kept: id, error: new AppError('cancelled', said`the look was cancelled`) }
  }
  if (signal.aborted) return cancelled()
  let hasFailed = false
  const isLate = isOverAfter(COMPARE_MS)
  const comparing: Promise<LookIdentical> = compareFiles(drawn.classes, drawn.filesOf, reader, {
    isOver: () => hasFailed || isLate(),
    onBytes: (bytes) => {
      comparedBytes = bytes
    },
  })
  comparing.catch(() => undefined).finally(() => tools.onRead?.())
  try {
    const { compression, types } = await codecPhase(
      units.set,
      strata,
      listed.roots,
      {
        level: LEVEL,
        dedup: null,
        types: listedTypes,
        phases: 2,
        work,
        ...(tools.seed !== undefined && { seed: tools.seed }),
        readAround: async (sample, offset, length) => {
          const file = { rootIndex: sample.rootIndex, path: sample.path, bytes: sample.fileBytes }
          const [part] = (await reader.read(file, [{ offset, length }])) ?? []
          aroundBytes += length
          return part ?? null
        },
      },
      context,
      (partial) => keep({ compression: partial }),
    )
    keep({
      compression,
      types: withTypeForecasts(document.types, types),
      identical: await comparing,
    })
  } catch (thrown) {
    hasFailed = true
    if (AppError.from(thrown).code !== 'cancelled') throw thrown
    return cancelled()
  }
  return id
}

function endOf(units: ReadUnits | null, tau: number | null): LookEnd {
  if (units?.isCut) return 'time'
  return tau === null ? 'all' : 'bytes'
}
