/**
 * The room `check` verifies any volumes by the lists on them and by the catalog.
 * How: every file that the lists name is read from the medium past damage; lists that contradict
 * the catalog are not believed, and recovery data may give true ones back.
 * Not here: volumes in the folder of their plan (`verify`), mending (`repair`).
 */

import { realpath } from 'node:fs/promises'
import {
  CHECK_SCHEMA,
  type CheckDocument,
  type CheckedVolume,
  type CheckRequest,
} from '../../../contract/dto/check'
import type { VolumeCopy } from '../../../domain/sets/copies/copy'
import { damagedFoldersLine } from '../../../domain/sets/damagedFolders'
import { worstOf } from '../../../domain/sets/verdict'
import { checkAgainBy } from '../../../domain/sets/volumeChecks'
import { checkOf, eventsOfCheck } from '../../../domain/sets/volumeEvent'
import { AppError } from '../../../primitives/appError'
import { ownPath } from '../../../primitives/ownPath'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { formatCount } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { fileSystems } from '../../files/fileSystems'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { type CopyCatalog, knownCopies } from '../copies/knownCopies'
import { type ProofCatalog, provedBy } from '../copies/provedBy'
import { whichCopy } from '../copies/whichCopy'
import { mendedVolumeLists } from '../recovery/mendedLists'
import { inTurn } from '../runs/inTurn'
import { wireOf } from '../runs/runRecord'
import { type JudgedVolume, judgedVolume, judgingProgress } from '../verify/judgedVolume'
import { isOfParity } from '../volume/lists/parityTsv'
import type { Volume } from '../volume/lists/volume'
import { differenceFailure, type FileDifference } from '../volume/open/difference'
import { openVolumes } from '../volume/open/openVolumes'
import { listsOfOthers, type VolumeLists } from '../volume/open/volumeLists'
import { COPIES, INDEX_NAME } from '../volume/planned/ownNames'
import { withCauses } from './changedSince'
import { type Damage, damagedFile, lost } from './damagedFile'
import { damagedSums } from './damagedSums'
import { lostLists } from './lostLists'
import { type ListedReading, type OpenedListed, openListed } from './openListed'
import { absentInIndex, type SetContents, setContents } from './setContents'

type CheckCatalog = Pick<Catalog, 'saveCheck' | 'everyMonths'> & CopyCatalog & ProofCatalog & PlaceNotes

interface CheckDeps {
  readonly catalog: CheckCatalog
  /** Takes the document of a check that a damaged catalog cannot keep. */
  readonly unrecorded: KeptResults<CheckDocument>
}

/**
 * Reads every file of volumes back from the medium and compares it with the volumes' own index and
 * checksums: images, discs and folders of any sets, without the folders of their plans. Bad sectors
 * are named by the files that they hit, and reading goes on behind them. The check is kept in the
 * catalog whatever it finds, with the first failure: `verification-failed`, `cancelled`, …
 * @throws AppError when none of the volumes can be opened, and `wrong-password`; then nothing is
 *   kept
 */
export function checkJob(deps: CheckDeps, request: CheckRequest): Job {
  return {
    kind: 'check',
    title: `Check of ${request.volumes.map(pathForDisplay).join(', ')}`,
    run: (context) => new Check(deps, request, context).run(),
  }
}

interface OpenVolume extends OpenedListed {
  readonly copy: number
  /** How many must be on it. */
  readonly files: number
}

class Check {
  readonly #catalog: CheckCatalog
  readonly #unrecorded: KeptResults<CheckDocument>
  readonly #request: CheckRequest
  readonly #context: JobContext
  readonly #startedMs: number
  readonly #startedWallMs: number
  readonly #unopened: CheckedVolume[] = []
  #first: AppError | null = null

  constructor({ catalog, unrecorded }: CheckDeps, request: CheckRequest, context: JobContext) {
    this.#catalog = catalog
    this.#unrecorded = unrecorded
    this.#request = request
    this.#context = context
    this.#startedMs = context.clock.monotonicMs()
    this.#startedWallMs = context.clock.wallMs()
  }

  async run(): Promise<JobResult> {
    const volumes = await this.#open()
    if ([...volumes, ...this.#unopened.filter(({ state }) => state === 'damaged')].length === 0)
      throw this.#first ?? new AppError('usage', said`no volume is given`)
    const { password, contents } = this.#request
    const isInside = contents || password !== null
    const checked = isInside
      ? await withSystemTempFolder(this.#catalog, 'verify', (directory) => this.#check(volumes, directory))
      : await this.#check(volumes, null)
    return this.#keep(volumes, checked)
  }

  /** Those of the given that are volumes; the others are noted with the reason. */
  async #open(): Promise<OpenVolume[]> {
    const opened: VolumeLists[] = []
    const without: { readonly files: Volume; readonly error: AppError }[] = []
    const note = (path: string, error: AppError): void => {
      this.#first ??= error
      this.#unopened.push(uncheckedVolume(path, error))
    }
    for (const given of this.#request.volumes) {
      try {
        for (const files of await openVolumes(await realPath(given), 'verify', note))
          await mendedVolumeLists(files, { notes: this.#catalog, signal: this.#context.signal }).then(
            (lists) => opened.push(lists),
            (thrown: unknown) => without.push({ files, error: AppError.from(thrown) }),
          )
      } catch (thrown) {
        note(given, AppError.from(thrown))
      }
    }
    for (const { files, error } of without) {
      const lists = await listsOfOthers(files, opened)
      const rest = lists ? null : await lostLists(files, this.#context.signal)
      if (lists) opened.push(lists)
      else if (rest) this.#unopened.push(this.#withoutLists(files, rest))
      else note(files.path, error)
    }
    const copies = this.#copiesOf(opened)
    return Promise.all(
      opened.map(async (lists, at) => {
        const listed = await openListed(lists, this.#context.signal)
        return Object.assign(listed, { copy: copies[at] ?? 1, files: listed.expected.length })
      }),
    )
  }

  /** A volume of which nothing can be compared. */
  #withoutLists(
    files: Volume,
    { differences, ...recovery }: NonNullable<Awaited<ReturnType<typeof lostLists>>>,
  ): CheckedVolume {
    const label = files.label ?? pathForDisplay(files.path)
    const [worst] = differences
    if (worst) this.#first ??= failureOf(label, worst)
    const blank = blankVolume({ files, setId: null, planId: null, number: null, label })
    const damaged = differences.map((difference) => damagedFile(lost(difference)))
    return { ...blank, damaged, ...recovery, state: 'damaged', verdict: 'lost' }
  }

  /** @throws AppError `usage` for a volume that may be one of several copies */
  #copiesOf(opened: readonly VolumeLists[]): number[] {
    const known = this.#knownCopies()
    return opened.map(({ files: { path }, planId, setId, number, label }) =>
      whichCopy({ path, planId, setId, index: number, label }, this.#request.copy, known),
    )
  }

  /** None of a catalog that cannot be read: the check goes on without it. */
  #knownCopies(): VolumeCopy[] {
    try {
      return knownCopies(this.#catalog, this.#startedWallMs)
    } catch (thrown) {
      if (AppError.from(thrown).code !== 'catalog-broken') throw thrown
      return []
    }
  }

  /** @param directory for what is unpacked; null where archives are not */
  async #check(volumes: readonly OpenVolume[], directory: string | null): Promise<CheckedVolume[]> {
    const sets = await this.#contentsOf(volumes, directory)
    const setOf = ({ setId }: VolumeLists): SetContents | null => sets.get(setId ?? '') ?? null
    const progress = judgingProgress(
      this.#context,
      volumes,
      ({ lists }) => setOf(lists)?.bytesWith(lists) ?? 0,
    )
    const checked: CheckedVolume[] = []
    const counted = new Set<string>()
    const { clock, signal } = this.#context
    const first = await inTurn(
      volumes,
      clock,
      async (volume, at) => {
        const { lists } = volume
        const set = setOf(lists)
        const index = set?.index ?? lists.index
        // It concerns the set as a whole: the first of its volumes reports it.
        const absent = index && !counted.has(lists.setId ?? '') ? absentInIndex(index) : []
        if (index) counted.add(lists.setId ?? '')
        const held = set?.heldOn(lists) ?? []
        const onBytes = progress(at)
        const judged = await judgedVolume({ ...volume, held }, set?.contents ?? null, { signal, onBytes })
        return this.#found(lists, judged, { absent, isInside: set !== null })
      },
      (found, at, elapsedMs) => {
        const { lists, copy } = volumes[at] as OpenVolume
        const blank = { ...blankVolume(lists), copy }
        if (!(found instanceof AppError)) {
          checked.push({ ...blank, ...found.volume, elapsedMs })
          return { failures: found.failures, goesOn: true }
        }
        const { code } = found
        const state = code === 'cancelled' ? 'cancelled' : 'unchecked'
        checked.push({ ...blank, state, error: wireOf(found), elapsedMs })
        return { failures: [found], goesOn: code !== 'cancelled' && code !== 'no-space' }
      },
    )
    this.#first ??= first
    return checked
  }

  async #contentsOf(
    volumes: readonly OpenVolume[],
    directory: string | null,
  ): Promise<Map<string, SetContents>> {
    const sets = new Map<string, SetContents>()
    if (directory === null) return sets
    const { password } = this.#request
    const { signal } = this.#context
    for (const [setId, own] of bySet(volumes)) {
      const contents = await setContents(own, { directory, password, notes: this.#catalog, signal })
      if (contents) sets.set(setId, contents)
    }
    return sets
  }

  /** The outcome of a volume as the document of a check has it, with what failed. */
  async #found(
    lists: VolumeLists,
    { reading, damaged, damagedData, blocks, inside, contents }: JudgedVolume<ListedReading>,
    { absent, isInside }: { readonly absent: readonly FileDifference[]; readonly isInside: boolean },
  ): Promise<{ readonly volume: Partial<CheckedVolume>; readonly failures: readonly AppError[] }> {
    const { files, bytes, reading: way } = reading
    const read = withCauses(reading.differences, lists)
    const copies = `${joinPath(lists.own, COPIES)}/`
    // Recovery data is made again from the files that it is of.
    const verdict = worstOf(['repairable', ...damaged.values()])
    const found: Damage[] = [
      ...read.map((difference) => ({
        difference,
        verdict: damaged.get(difference.path) ?? 'lost',
        protects: difference.path.startsWith(copies),
      })),
      ...damagedSums(lists, read).map(lost),
      ...damagedData.map((difference): Damage => ({ difference, verdict, protects: true })),
      ...inside.map(({ difference }) => lost(difference)),
      ...absent.map(lost),
    ]
    const folders = lists.damagedFolders()
    const proof = provedBy(lists, this.#catalog)
    // Lists that are damaged are named as such.
    const isOther = 'because' in proof && found.length === 0 && folders === null
    const all = isOther ? [lost(otherList(lists, proof.because))] : found
    const [worst] = all
    const failures = [
      ...(worst ? [failureOf(lists.label, worst.difference)] : []),
      ...(folders ? [new AppError('verification-failed', damagedFoldersLine(folders))] : []),
    ]
    const volume = {
      files,
      bytes,
      reading: way,
      contents,
      damaged: all.map(damagedFile),
      ...(lists.skipped.size > 0 && {
        skipped: [...lists.skipped].map(([path, cause]) => ({ path, cause })),
      }),
      ...(folders && { damagedFolders: folders }),
      state: failures.length > 0 ? ('damaged' as const) : ('good' as const),
      verdict: worstOf([...all.map((damage) => damage.verdict), ...(folders ? ['repairable' as const] : [])]),
      ...(blocks && { recovery: blocks }),
      ...('against' in proof && { against: proof.against }),
      ...(isOther && { against: 'none' as const }),
      ...(await this.#whereIs(lists)),
      notes: [...notesOf(lists, isInside), ...('note' in proof && proof.note !== null ? [proof.note] : [])],
    }
    return { volume, failures }
  }

  async #whereIs({ files: { path } }: VolumeLists): Promise<Pick<CheckedVolume, 'fileSystem'>> {
    const fileSystem = await fileSystems.of(path)
    return fileSystem ? { fileSystem } : {}
  }

  #keep(volumes: readonly OpenVolume[], checked: readonly CheckedVolume[]): JobResult {
    const id = this.#context.newId('c')
    const failure = this.#first
    const document: CheckDocument = {
      schema: CHECK_SCHEMA,
      id,
      startedWallMs: this.#startedWallMs,
      elapsedMs: this.#context.clock.monotonicMs() - this.#startedMs,
      outcome: failure === null ? 'done' : failure.code === 'cancelled' ? 'cancelled' : 'failed',
      volumes: [...checked, ...this.#unopened],
      notGiven: notGiven(volumes),
    }
    try {
      this.#record(document)
    } catch (thrown) {
      const { code, message } = AppError.from(thrown)
      if (code !== 'catalog-broken') throw thrown
      document.volumes[0]?.notes.push(said`This check is not recorded: ${message}`)
      this.#unrecorded.keep(id, document)
    }
    return failure ? { kept: id, error: failure } : id
  }

  #record(document: CheckDocument): void {
    const { everyMonths } = this.#request
    const events = eventsOfCheck(document, (volume) => everyMonths ?? this.#catalog.everyMonths(volume))
    for (const volume of document.volumes) {
      const event = events.find(
        ({ setId, volume: index }) => setId === volume.setId && index === volume.index,
      )
      const check = event && checkOf(event)
      if (check?.result === 'good') volume.checkByWallMs = checkAgainBy(check)
    }
    this.#catalog.saveCheck(document, everyMonths)
  }
}

function failureOf(label: string, difference: FileDifference): AppError {
  return differenceFailure(label, difference, formatCount)
}

function otherList({ own }: VolumeLists, because: string): FileDifference {
  return { path: joinPath(own, INDEX_NAME), code: 'unproved-list', because }
}

async function realPath(path: string): Promise<string> {
  return ownPath(pathFromBytes(await attempt('read', path, realpath(fsPath(path), { encoding: 'buffer' }))))
}

function bySet(volumes: readonly OpenVolume[]): Map<string, VolumeLists[]> {
  return Map.groupBy(
    volumes.map(({ lists }) => lists),
    ({ setId }) => setId ?? '',
  )
}

function notGiven(volumes: readonly OpenVolume[]): CheckDocument['notGiven'] {
  return [...bySet(volumes)].flatMap(([setId, own]) => {
    const given = new Set(own.map(({ number }) => number))
    const all = own.find(({ index }) => index !== null)?.index?.volumes ?? []
    return all.flatMap(({ index, label }) => (given.has(index) ? [] : [{ setId, index, label }]))
  })
}

function blankVolume({
  files,
  setId,
  planId,
  number,
  label,
}: Pick<VolumeLists, 'files' | 'setId' | 'planId' | 'number' | 'label'>): CheckedVolume {
  return {
    path: files.path,
    ...('folder' in files && { kind: files.folder === null ? ('image' as const) : ('folder' as const) }),
    setId,
    planId,
    index: number,
    label,
    state: 'unchecked',
    reading: null,
    files: 0,
    bytes: 0,
    contents: 0,
    elapsedMs: 0,
    damaged: [],
    error: null,
    checkByWallMs: null,
    notes: [],
  }
}

function uncheckedVolume(path: string, { code, message }: AppError): CheckedVolume {
  const label = pathForDisplay(path)
  return {
    ...blankVolume({ files: { path }, setId: null, planId: null, number: null, label } as VolumeLists),
    error: { code, message, path },
  }
}

/** Notes on the checks of a volume that could not be made. */
function notesOf({ index, sums, own, number, encryptedIndex }: VolumeLists, hasContents: boolean): string[] {
  const isPacked = index?.rows.some(({ method }) => method !== null) === true
  return [
    ...(index === null && !isOfParity(sums, own)
      ? [said`its INDEX.tsv cannot be read: its files were compared with SHA256SUMS alone`]
      : []),
    ...(sums === null
      ? [said`its SHA256SUMS cannot be used: its files were compared with INDEX.tsv alone`]
      : []),
    ...(number === null && index !== null ? [said`it does not say which volume of its set it is`] : []),
    ...(isPacked && !hasContents
      ? [
          encryptedIndex
            ? said`its archives are as they were written; with the password the files in them are checked too`
            : said`its archives are as they were written; with --contents the files in them are checked too`,
        ]
      : []),
  ]
}
