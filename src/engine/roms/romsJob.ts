/**
 * The room `roms` reads DATs, and compares files with the ROM sets that they describe.
 * How: `dats` reads them in pieces; files are listed, those whose size a DAT has are read for
 * their checksums (`fileContents`), and members of archives are known by its directory
 * or read in one pass (`archives`).
 * Not here: which ROM sets a DAT makes, and what a file is of them (`src/domain/roms`).
 */

import { stat } from 'node:fs/promises'
import type { RomsRequest } from '../../contract/dto/roms'
import { type FileJudgement, judgeFiles, type SetJudgement } from '../../domain/roms/judgeFiles'
import type { RomSet } from '../../domain/roms/romSets'
import {
  type JudgedFile,
  ROM_FILE_STATES,
  type RomFileState,
  type RomsDocument,
} from '../../domain/roms/romsDocument'
import { WantedFiles } from '../../domain/roms/wantedFiles'
import type { JudgedDat } from '../../domain/roms/writtenDat'
import { NO_RULES } from '../../domain/survey/rules/rules'
import { said } from '../../primitives/said'
import { attempt, fsPath, realPathAt } from '../files/fileSystem'
import type { PlaceNotes } from '../files/scratch'
import type { Job, JobContext, ProgressUpdate } from '../jobs/jobContext'
import type { KeptResults } from '../jobs/keptResults'
import { pausing, resultOf } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { Work } from '../jobs/workEstimate'
import { surveyRoots } from '../survey/surveyRoots'
import { bytesToRead, findContents } from './findContents'
import type { Found } from './found'
import { type LaidOut, layOutDats } from './layOutDats'
import { listFiles } from './listFiles'
import { askedDats, requireWritable, writeDats } from './writeDats'

const PHASES = ['reading', 'listing', 'comparing'] as const
/** A DAT takes some ten times as long as as many bytes of a file. Assumed. */
const DAT_WEIGHT = 10

/**
 * Compares the files below paths with DATs and keeps the result as a document.
 * @throws AppError when it runs: `bad-input` for a DAT that cannot be read, naming its line
 */
export function romsJob(request: RomsRequest, results: KeptResults<RomsDocument>, notes: PlaceNotes): Job {
  return {
    kind: 'roms',
    title: said`ROM sets`,
    run: (context) => compare(request, results, notes, context),
  }
}

async function compare(
  request: RomsRequest,
  results: KeptResults<RomsDocument>,
  notes: PlaceNotes,
  context: JobContext,
): Promise<string> {
  const { clock, signal } = context
  const { rules = NO_RULES } = request
  const startedMs = clock.monotonicMs()
  const elapsedMs = (): number => clock.monotonicMs() - startedMs
  const report = await progressOf(request.dats, context)
  const roots = await surveyRoots(request.paths)
  const asked = askedDats(request)
  await requireWritable(asked, roots)
  const laidOut = await layOutDats(request, signal, (bytes, current) => report.read(bytes, current))
  const datMs = elapsedMs()
  const listed = await listFiles(roots, rules, signal, (files) => report.list(files))
  const listMs = elapsedMs() - datMs
  const sets = laidOut.flatMap((dat) => dat.sets)
  const wanted = new WantedFiles(sets)
  const own = new Set([...request.dats, ...request.detectors].map((path) => realPathAt(path) ?? path))
  const files = listed.files.filter(({ path }) => !own.has(path))
  const detectors = [...new Set(laidOut.flatMap((dat) => dat.detectors))]
  const skipped = [...listed.skipped]
  const bytesTotal = files.reduce((sum, file) => sum + bytesToRead(file, wanted), 0)
  const { found, hashedBytes } = await findContents(
    files,
    wanted,
    detectors,
    skipped,
    context,
    ({ filesDone, readBytes: bytesDone, current }) =>
      report.compare({ filesDone, filesTotal: files.length, bytesDone, bytesTotal, current }),
  )
  const pause = pausing(() => throwIfAborted(signal), clock)
  const judged = await resultOf(judgeFiles(sets, wanted, found), pause)
  const datOf = new Map(laidOut.flatMap((dat, at) => dat.sets.map((set) => [set, at] as const)))
  const judgedFiles = judged.files.map((judgement, at) => fileRow(judgement, found[at] as Found, datOf))
  const judgeMs = elapsedMs() - datMs - listMs
  const written = await writeDats(
    asked,
    judgedDats(laidOut, judged.sets),
    {
      version: laidOut.length === 1 ? (laidOut[0]?.dat.header.version ?? '') : '',
      date: new Date(clock.wallMs()).toISOString().slice(0, 10),
      detector: sameDetector(laidOut),
    },
    notes,
  )
  const id = context.newId('roms')
  return results.keep(id, {
    schema: 'stowage.roms/1',
    id,
    createdWallMs: clock.wallMs(),
    roots,
    rules,
    ...(listed.excluded && { excluded: listed.excluded }),
    dats: laidOut.map(datRow),
    totals: {
      sets: setCounts(judged.sets),
      needed: judged.sets.reduce((sum, set) => sum + set.files, 0),
      present: judged.sets.reduce((sum, set) => sum + set.present, 0),
      files: fileCounts(judgedFiles),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      hashedBytes,
    },
    sets: judged.sets.flatMap((set) => setRows(set, datOf)),
    files: judgedFiles,
    skipped,
    ...(asked.length > 0 && { written }),
    timing: { datMs, listMs, judgeMs },
  })
}

/** The judgements of each DAT, which come in the order of the DATs. */
function judgedDats(laidOut: readonly LaidOut[], judged: readonly SetJudgement[]): JudgedDat[] {
  let from = 0
  return laidOut.map(({ dat, sets }) => {
    const own = judged.slice(from, from + sets.length)
    from += sets.length
    return { name: dat.header.name, sets: own }
  })
}

/** The detector that all DATs name; null where they differ. */
function sameDetector(laidOut: readonly LaidOut[]): string | null {
  const [first, ...others] = new Set(laidOut.map(({ dat }) => dat.header.detector))
  return others.length === 0 ? (first ?? null) : null
}

type DatPlaces = ReadonlyMap<RomSet, number>

function datRow({
  path,
  member,
  encoding,
  dat,
  layout,
  notes,
  detectors,
}: LaidOut): RomsDocument['dats'][number] {
  const { name, description, version, date, author } = dat.header
  return {
    path,
    member,
    format: dat.format,
    encoding,
    name,
    description,
    version,
    date,
    author,
    layout,
    detectors: detectors.map((detector) => detector.name),
    games: dat.games.length,
    files: dat.games.reduce((sum, game) => sum + game.files.length, 0),
    notes: [...notes],
  }
}

/** No row where nothing that the ROM set needs has been dumped. */
function setRows(
  { set, state, files, present, right, missing, undumped }: SetJudgement,
  datOf: DatPlaces,
): RomsDocument['sets'] {
  if (state === 'undumped') return []
  const row = {
    dat: datOf.get(set) ?? 0,
    name: set.name,
    cloneOf: set.game.cloneOf,
    state,
    files,
    present,
    right,
    undumped,
    missing: missing.map(({ held: { name, file } }) => ({ name, bytes: file.bytes, mia: file.isMia })),
  }
  return [row]
}

function fileRow({ state, wanted, by }: FileJudgement, found: Found, datOf: DatPlaces): JudgedFile {
  const { path, member, bytes, known, isUnopened } = found
  const isKnown = !isUnopened
  const place = isKnown ? wanted : null
  return {
    path,
    member,
    bytes,
    state: isKnown ? state : 'not-opened',
    dat: place ? (datOf.get(place.set) ?? null) : null,
    set: place?.set.name ?? null,
    name: place?.held.name ?? null,
    by: isKnown ? by : null,
    known,
  }
}

function setCounts(sets: readonly SetJudgement[]): RomsDocument['totals']['sets'] {
  const counts = { complete: 0, partial: 0, missing: 0, undumped: 0 }
  for (const { state } of sets) counts[state]++
  return counts
}

function fileCounts(files: readonly JudgedFile[]): Record<RomFileState, number> {
  const counts = Object.fromEntries(ROM_FILE_STATES.map((state) => [state, 0])) as Record<
    RomFileState,
    number
  >
  for (const { state } of files) counts[state]++
  return counts
}

type Counts = Pick<ProgressUpdate, 'filesDone' | 'filesTotal' | 'bytesDone' | 'bytesTotal' | 'current'>

/** Reports the three phases, DATs and files by their bytes. */
async function progressOf(dats: readonly string[], context: JobContext) {
  const bytesTotal = await totalBytes(dats)
  let datBytes = 0
  const tell = (name: (typeof PHASES)[number], counts: Counts, files: Work): void =>
    context.progress({
      phase: { index: PHASES.indexOf(name) + 1, count: PHASES.length, name },
      ...counts,
      work: [
        {
          kind: 'dats',
          unit: 'bytes',
          done: name === 'reading' ? Math.min(datBytes, bytesTotal) : bytesTotal,
          total: bytesTotal,
          weight: DAT_WEIGHT,
          isCalculated: true,
        },
        files,
      ],
    })
  const unknown: Work = { kind: 'files', unit: 'bytes', done: 0, total: null }
  return {
    read(bytes: number, current: string): void {
      datBytes += bytes
      const counts = {
        filesDone: 0,
        filesTotal: null,
        bytesDone: Math.min(datBytes, bytesTotal),
        bytesTotal,
        current,
      }
      tell('reading', counts, unknown)
    },
    list(filesDone: number): void {
      tell('listing', { filesDone, filesTotal: null, bytesDone: 0, bytesTotal: null, current: null }, unknown)
    },
    compare(counts: Counts): void {
      const total = counts.bytesTotal ?? 0
      const bytesDone = Math.min(counts.bytesDone, total)
      const files = { done: counts.filesDone, total: counts.filesTotal }
      tell(
        'comparing',
        { ...counts, bytesDone },
        { kind: 'files', unit: 'bytes', done: bytesDone, total, files },
      )
    },
  }
}

async function totalBytes(paths: readonly string[]): Promise<number> {
  let bytes = 0
  for (const path of paths) bytes += (await attempt('read', path, stat(fsPath(path)))).size
  return bytes
}
