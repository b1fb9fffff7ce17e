/**
 * The room `survey` reads a source once and stores what it finds.
 * How: the native core lists and reads (`surveyPass`); entries go to the catalog, figures to the
 * document, and unchanged files of an earlier survey are not read again (`carryOver`).
 * Not here: forecasts of compression (`forecast`), the figures' rules (`src/domain/survey`).
 */

import { basename } from 'node:path'
import type { DatGrouping, SurveyDocument, SurveyRequest } from '../../contract/dto/survey'
import { expectedSizes } from '../../domain/fingerprints/schemes'
import { type Levels, provisionalFigures } from '../../domain/survey/levelFigures'
import { readingReason } from '../../domain/survey/readingReason'
import { ruleText } from '../../domain/survey/rules/rules'
import {
  hasForecasts,
  isUnchanged,
  type SurveyForecasts,
  type SurveyParts,
  surveyDocument,
  trustedOf,
  unchangedParts,
  unitedParts,
} from '../../domain/survey/surveyParts'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import { ownFolders } from '../catalog/ownFolders'
import type { CarriedFingerprints } from '../fingerprints/carriedFingerprints'
import { withFingerprinting } from '../fingerprints/fingerprinting'
import { writeFingerprints } from '../fingerprints/writeFingerprints'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { ChunkLevel } from '../native/levels'
import { EarlierUnusable, findEarlier, isBySameDats, loadKnownFiles } from './earlierSurvey'
import type { LookAtListed } from './firstLook'
import type { PassEnd } from './followPass'
import { askedOf, type DatFamilies, groupByDats, type ReadDatFamilies } from './groupByDats'
import { requireUsableRules } from './rules/nativeRules'
import { silentChanges } from './silentChanges'
import type { SketchFolder } from './sketchFolder'
import { pruneSketches } from './sketchPruning'
import { readFigures } from './surveyFigures'
import { surveyForecasts } from './surveyForecasts'
import { chunkersOf, type PassSetting, type SurveyPass, startSurveyPass } from './surveyPass'
import { surveyRoots } from './surveyRoots'

/** The tools of a survey. */
interface SurveyTools {
  readonly catalog: Catalog
  readonly sketches: SketchFolder
  /** How often a long pass is made safe against the end of the process. */
  readonly checkpointMs: number
  /** For a request with `lookFromSeconds`; without it there is no look. */
  readonly lookAt?: LookAtListed
  /** For a request with `dats`. */
  readonly readDats?: ReadDatFamilies
}

/**
 * Reads the sources once and stores the survey; files that an earlier survey of the same sources
 * knows and that have not changed are not read. Returns its id; a cancelled survey that has read
 * something is kept, marked partial. Unreadable things are recorded, never fatal.
 * @throws AppError `bad-input` for rules that cannot be carried out; the job fails as `refused`
 *   where they leave nothing over
 */
export function surveyJob(request: SurveyRequest, tools: SurveyTools): Job {
  requireUsableRules(request.rules)
  const [first = ''] = request.paths
  const more = request.paths.length > 1 ? said` and ${request.paths.length - 1} more` : ''
  return {
    kind: 'survey',
    title: `Survey of ${pathForDisplay(basename(first) || first)}${more}`,
    run(context) {
      const { fingerprints } = request
      if (fingerprints === undefined) return survey(request, { ...tools, fingerprinting: null }, context)
      return withFingerprinting(tools.catalog, fingerprints, request, chunkersOf(request), (fingerprinting) =>
        survey(
          { ...request, full: request.full === true || request.fingerprintsSince === undefined },
          { ...tools, fingerprinting },
          context,
        ),
      )
    },
  }
}

/** The same, and the fingerprints that the survey is to leave. */
type Tools = SurveyTools & Pick<PassSetting, 'fingerprinting'>

/** When the survey began, and of what. */
type Begun = Pick<PassSetting, 'startedMs' | 'createdWallMs' | 'roots' | 'leaveOut'>

async function survey(request: SurveyRequest, tools: Tools, context: JobContext): Promise<JobResult> {
  const { catalog, sketches } = tools
  const startedMs = context.clock.monotonicMs()
  const createdWallMs = context.clock.wallMs()
  const roots = await surveyRoots(request.paths)
  const begun = { startedMs, createdWallMs, roots, leaveOut: ownFolders(catalog) }
  // What is wrong with a DAT is said before anything is read.
  const { dats, layout } = request
  const families = dats && tools.readDats ? await tools.readDats(dats, layout, context.signal) : null
  // What a survey that was cancelled a moment ago still brings to the disk can be built on.
  await sketches.settled()
  const found = findEarlier(catalog, sketches, roots, request, families?.dats ?? [])
  try {
    return await surveyFrom(found, begun, { request, families }, tools, context)
  } catch (thrown) {
    if (!(thrown instanceof EarlierUnusable) || !found.earlier) throw thrown
    const surveyId = found.earlier.document.id
    await sketches.settled()
    const without = { earlier: null, notTrusted: { surveyId, reason: thrown.reason } }
    return await surveyFrom(without, begun, { request, families }, tools, context)
  }
}

/**
 * @throws EarlierUnusable, after which nothing of this survey is left, nor the earlier one's
 *   sketch if it is damaged
 */
async function surveyFrom(
  found: ReturnType<typeof findEarlier>,
  begun: Begun,
  { request, families }: { readonly request: SurveyRequest; readonly families: DatFamilies | null },
  tools: Tools,
  context: JobContext,
): Promise<JobResult> {
  const { catalog, sketches } = tools
  const { startedMs, roots } = begun
  const surveyId = context.newId('s')
  const writer = catalog.beginSurvey(surveyId, found.earlier?.document.id)
  let pass: SurveyPass | null = null
  let rest = Promise.resolve()
  try {
    const from = await leaseEarlier(found, sketches, surveyId)
    const { earlier } = from
    const known = earlier && (await loadKnownFiles(catalog, earlier, roots, context.signal))
    // Before anything is read: they may have to be refused.
    const prints =
      earlier && tools.fingerprinting ? await tools.fingerprinting.earlierOf(earlier.document.id) : null
    const setting = { ...tools, ...from, ...begun, request, surveyId, known, writer }
    pass = startSurveyPass(setting, context)
    const end = await pass.follow()
    const read = withEnd(pass.partsNow(), end)
    if (end.cancelled) {
      const kept = keepCancelled(read, end, pass, writer)
      rest = kept.rest
      return kept.result
    }
    requireSomething(read)
    const wallMs = (): number => context.clock.monotonicMs() - startedMs
    let parts: SurveyParts = {
      ...read,
      cuts: provisionalFigures(levelsOf(pass), read.entries.duplicateFiles.bytes, read.counts, pass.figures),
    }
    // Saving the sketch lasts; where everything was read, nothing that it knows is waited for.
    if (!earlier) context.live(readFigures(surveyDocument({ ...parts, partial: false })))
    const union = await saveSketch(pass, writer, end.entries, parts, earlier !== null)
    parts = withLinks(parts, writer)
    parts = { ...parts, partial: false, timing: { ...parts.timing, passMs: wallMs(), wallMs: wallMs() } }
    if (earlier && isUnchanged(parts)) parts = unchangedParts(parts, earlier.document)
    else if (earlier && union) parts = unitedParts(parts, union, earlier.document)
    const { trusted, solid } = surveyDocument(parts)
    // Too much has changed for the earlier order, and of a part of the files none can be made.
    if (request.order && trusted && solid.length === 0) throw new EarlierUnusable('noOrder')
    const awaitsForecasts = hasForecasts(request.samples) && trustedOf(parts)?.forecasts !== 'same'
    parts = { ...parts, awaitsForecasts }
    const save = (): void => writer.finish(surveyDocument(parts))
    save()
    context.live({ surveyId, ...readFigures(surveyDocument(parts)) })
    const changes = await changesOf(catalog, surveyDocument(parts), !earlier, context)
    if (changes) {
      parts = { ...parts, silentChanges: changes }
      save()
    }
    await pruneSketches(catalog, sketches, roots)
    const chunkLevels = union?.chunkLevels ?? pass.native.chunkLevels()
    const failed = await fingerprintsFailure(pass, { parts, chunkLevels, earlier: prints }, tools, context)
    await pass.native.freeTables()
    if (failed) return { kept: surveyId, error: failed }
    // The survey is in the catalog by now: whatever happens to the forecasts, it is kept.
    const add = (more: SurveyForecasts): void => {
      const timing = { ...parts.timing, wallMs: wallMs() }
      parts = { ...parts, timing, forecasts: { ...parts.forecasts, ...more } }
    }
    // For whoever asks in the meantime, and of a survey whose samples were cancelled; it goes no further.
    let rough: SurveyForecasts = {}
    const saveRough = (): void =>
      writer.finish(surveyDocument({ ...parts, forecasts: { ...parts.forecasts, ...rough } }))
    const onRough = (more: SurveyForecasts): void => {
      rough = { ...rough, ...more }
      saveRough()
    }
    const onSome = (more: SurveyForecasts): void => {
      add(more)
      rough = { ...rough, ...more }
      save()
    }
    const forecast = async (ofPass: SurveyPass): Promise<SurveyForecasts> => {
      const before = earlier && isUnchanged(read) ? earlier.document.dat : undefined
      const isKept = before !== undefined && (families === null || isBySameDats(before, families.dats))
      const grouped =
        families === null || isKept
          ? null
          : await familiesOf(families, { catalog, writer, pass: ofPass, surveyId, roots }, context)
      // The same DATs, as they were read now.
      const { dats: _dats, layout: _layout, ...counts } = before ?? { files: 0, groups: 0 }
      const kept = families ? { ...askedOf(families), ...counts } : before
      parts = withDat(parts, isKept ? kept : grouped?.grouping)
      if (parts.about.dat) save()
      const datGroups = isKept ? ('kept' as const) : (grouped?.groups ?? null)
      const asked = { pass: ofPass, parts, earlier, catalog, writer, datGroups, onSome, onRough }
      return surveyForecasts(asked, context)
    }
    return await forecast(pass).then(
      (last) => {
        if (!awaitsForecasts) return surveyId
        add(last)
        parts = { ...parts, awaitsForecasts: false }
        save()
        return surveyId
      },
      (thrown: unknown) => {
        saveRough()
        return { kept: surveyId, error: AppError.from(thrown) }
      },
    )
  } catch (thrown) {
    await sketches.remove(surveyId)
    // This survey's own takes its place.
    if (thrown instanceof EarlierUnusable && thrown.reason === 'damagedSketch' && found.earlier)
      await sketches.remove(found.earlier.document.id)
    discard(writer)
    throw thrown
  } finally {
    const ended = rest.then(() => pass?.native.close()).then(() => sketches.release(surveyId))
    sketches.goingOn(ended.catch(() => {}))
  }
}

/** Writes the fingerprints, if any were asked for; the survey is kept whatever happens to them. */
async function fingerprintsFailure(
  pass: SurveyPass,
  {
    parts,
    chunkLevels,
    earlier,
  }: {
    readonly parts: SurveyParts
    readonly chunkLevels: readonly ChunkLevel[]
    readonly earlier: CarriedFingerprints | null
  },
  { catalog, fingerprinting }: Tools,
  context: JobContext,
): Promise<AppError | null> {
  if (!fingerprinting) return null
  const { native, ledger } = pass
  const document = surveyDocument(parts)
  const { files, bytes } = document.totals
  const { perByte, perFile } = expectedSizes(fingerprinting.schemes)
  const total = Math.ceil(perByte * bytes + perFile * files)
  const read = { kind: 'reading', unit: 'bytes', done: bytes, total: bytes } as const
  const onProgress = (written: number): void =>
    context.progress({
      phase: { index: 2, count: 3, name: 'fingerprints' },
      filesDone: files,
      filesTotal: files,
      bytesDone: written,
      bytesTotal: Math.max(written, total),
      current: null,
      work: [
        { ...read, files: { done: files, total: files } },
        { kind: 'fingerprints', unit: 'bytes', done: Math.min(written, total), total },
        ...pass.forecastWork(),
      ],
    })
  onProgress(0)
  try {
    const unchanged = ledger.counts().trustedFiles
    const carried =
      earlier && unchanged > 0
        ? {
            survey: earlier.note.survey,
            unchanged,
            others: Math.max(0, earlier.note.totals.files - unchanged),
          }
        : null
    if (carried) await earlier?.carry(native, ledger.fileMap())
    await writeFingerprints(fingerprinting, {
      native,
      catalog,
      document,
      chunkLevels,
      carried,
      signal: context.signal,
      onProgress,
    })
    return null
  } catch (thrown) {
    return AppError.from(thrown)
  }
}

/** With the groups by DATs; without forecasts of them where there are none. */
function withDat(parts: SurveyParts, dat: DatGrouping | undefined): SurveyParts {
  if (dat) return { ...parts, about: { ...parts.about, dat } }
  const grouped = parts.forecasts.grouped?.filter(({ by }) => by !== 'dat' && by !== 'sets')
  return { ...parts, forecasts: { ...parts.forecasts, ...(grouped && { grouped }) } }
}

/** Groups the files by DATs, with the progress of it before that of the forecasts. */
function familiesOf(
  families: DatFamilies,
  {
    catalog,
    writer,
    pass,
    surveyId,
    roots,
  }: {
    readonly catalog: Catalog
    readonly writer: SurveyWriter
    readonly pass: SurveyPass
    readonly surveyId: string
    readonly roots: readonly string[]
  },
  context: JobContext,
): ReturnType<typeof groupByDats> {
  const pause = pausing(() => throwIfAborted(context.signal))
  return groupByDats(
    families,
    { id: surveyId, roots },
    { catalog, writer },
    {
      context,
      pause,
      onProgress: (counts) =>
        context.progress({
          phase: { index: 2, count: 3, name: 'grouping' },
          ...counts,
          work: [
            {
              kind: 'files',
              unit: 'bytes',
              done: counts.bytesDone,
              total: counts.bytesTotal,
              files: { done: counts.filesDone, total: counts.filesTotal },
            },
            ...pass.forecastWork(),
          ],
        }),
    },
  )
}

/** The silent changes; null where the survey, which has read everything, is cancelled meanwhile. */
function changesOf(
  catalog: Catalog,
  document: SurveyDocument,
  isFull: boolean,
  { signal }: JobContext,
): ReturnType<typeof silentChanges> {
  const pause = pausing(() => throwIfAborted(signal))
  return silentChanges(catalog, document, isFull, pause).catch((thrown: unknown) => {
    if (AppError.from(thrown).code === 'cancelled') return null
    throw thrown
  })
}

/** @throws AppError `refused` where rules left out everything */
function requireSomething({ entries: { totals }, excluded }: SurveyParts): void {
  if (totals.files + totals.symlinks + totals.skipped > 0 || !excluded) return
  const [first] = excluded.rules
  if (!first) return
  const others = excluded.rules.length - 1
  const more = others === 0 ? '' : said` and ${others} more`
  throw new AppError(
    'refused',
    said`nothing is left to survey: everything is left out by ${pathForDisplay(ruleText(first))}${more}`,
  )
}

/**
 * Keeps the earlier survey's sketch in place, whatever other surveys remove. Without it everything
 * is read. Whether it is damaged shows when it is read, to be united with what this survey has
 * read.
 */
async function leaseEarlier(
  { earlier, notTrusted }: ReturnType<typeof findEarlier>,
  sketches: SketchFolder,
  surveyId: string,
): Promise<Pick<PassSetting, 'earlier' | 'earlierPlace' | 'notTrusted'>> {
  if (!earlier) return { earlier, earlierPlace: null, notTrusted }
  const earlierId = earlier.document.id
  const earlierPlace = await sketches.lease(earlierId, surveyId)
  if (earlierPlace !== null) return { earlier, earlierPlace, notTrusted }
  return { earlier: null, earlierPlace, notTrusted: { surveyId: earlierId, reason: 'noSketch' } }
}

/**
 * Why the survey failed is what matters; what cannot be removed now, on a full disk, is when the
 * catalog is opened next.
 */
function discard(writer: SurveyWriter): void {
  try {
    writer.discard()
  } catch {
    // Its process does not live then.
  }
}

/**
 * Brings the sketch to the disk. Without it the next survey reads everything again, which is no
 * reason to lose this one; but where files were not read again the figures are in it.
 */
async function saveSketch(
  pass: SurveyPass,
  writer: SurveyWriter,
  entries: number,
  parts: SurveyParts,
  isNeeded: boolean,
): ReturnType<SurveyPass['keeper']['save']> {
  try {
    const union = await pass.keeper.save(entries, parts)
    writer.sketched(entries)
    return union
  } catch (thrown) {
    if (isNeeded) throw thrown
    return null
  }
}

/**
 * A cancelled survey is reported at once; its sketch, which the next one builds on, and what
 * follows from it are the `rest`, which never rejects.
 */
function keepCancelled(
  found: SurveyParts,
  end: PassEnd,
  pass: SurveyPass,
  writer: SurveyWriter,
): { result: JobResult; rest: Promise<void> } {
  const cancelled = new AppError('cancelled', said`the survey was cancelled`)
  if (found.entries.totals.files === 0) throw cancelled
  const save = (parts: SurveyParts): void => writer.finish(surveyDocument(parts))
  save(found)
  const later = async (): Promise<void> => {
    const union = await saveSketch(pass, writer, end.entries, found, false)
    const parts = withLinks(found, writer)
    save(union && parts.earlier ? unitedParts(parts, union, parts.earlier) : parts)
  }
  // A failure here keeps the survey as it was reported; only incremental surveys cannot build on it.
  return { result: { kept: found.about.id, error: cancelled }, rest: later().catch(() => {}) }
}

/**
 * With the figures that only the end of the pass gives. What unread files share with others is
 * unknown.
 */
function withEnd(parts: SurveyParts, { peakRssBytes, reading, clonedBytes }: PassEnd): SurveyParts {
  const { deviceKind, threads } = reading
  const { entries } = parts
  return {
    ...parts,
    entries: {
      ...entries,
      totals: { ...entries.totals, clonedBytes: trustedOf(parts) ? null : clonedBytes },
    },
    timing: {
      ...parts.timing,
      peakRssBytes,
      threads,
      reading: { deviceKind, threads, because: readingReason(reading) },
    },
  }
}

/** With the bytes of further names, which the catalog finds once it has all entries. */
function withLinks(parts: SurveyParts, writer: SurveyWriter): SurveyParts {
  const { entries } = parts
  if (entries.totals.hardLinks === 0) return parts
  const totals = { ...entries.totals, hardLinkedBytes: writer.linkNames() }
  return { ...parts, entries: { ...entries, totals } }
}

function levelsOf({ native }: SurveyPass): Levels {
  return { blockLevels: native.blockLevels(), chunkLevels: native.chunkLevels() }
}
