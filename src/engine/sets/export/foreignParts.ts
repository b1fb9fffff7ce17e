import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import {
  type PlanDocument,
  type PlanEntry,
  type PlanList,
  planDocumentSchema,
} from '../../../contract/dto/plan'
import { equalFiles } from '../../../domain/sets/packing/equalFiles'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { entryTime } from '../../files/entryTime'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { folderOf } from '../../files/flush'
import { lstatAt, namesIn } from '../../files/folderNames'
import { lineSplitter } from '../../files/lineSplitter'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { type ListsPlace, volumePlaces } from '../plannedVolume'
import { expectedTree } from '../verify/expectedTree'

/** The files of an exported plan outside of `volumes`; older versions kept no digests of them. */
const EXPORTED_TEXTS = ['plan.json', 'plan.schema.json', 'report.html', 'README.txt', 'index.tsv']
const EXPORTED_SCRIPTS = ['build.sh', 'burn-xorriso.sh', 'burn-growisofs.sh', 'burn-on-the-fly.sh']

/** What is in Stowage's own folder on a volume. */
const PAYLOAD = ['INDEX.tsv', 'README.txt', 'REJOIN.sh', 'RESTORE.sh', 'RESTORE.txt', 'SHA256SUMS']

/** What builds and verifications make: it stays with the same plan and goes with another. */
const MADE_LATER: ReadonlySet<string> = new Set(['images', 'folders', 'runs', 'packed', 'work'])

/** What packing leaves: its own files next to the lists, and folders and records of archives that are not on volumes yet. */
const PACKED_TEXTS: ReadonlySet<string> = new Set([
  'packed/plan.json',
  'packed/INDEX.7z',
  'packed/burn-xorriso.sh',
  'packed/burn-growisofs.sh',
])
const WORK_PARTS = /^(?:\d+|\d+\.jsonl(?:\.partial)?|\.making-[0-9a-f]{12})$/

/** Half-made volumes of builds that were killed: the next build removes them too. */
const HALF_MADE = /^\d{2,}(?:\.iso)?\.partial(?:-[0-9a-f]{12})?$/
const VOLUME_IMAGE = /^\d{2,}\.iso$/
const VOLUME_FOLDER = /^\d{2,}$/
const RUN_RECORD = /^[bvw]-[0-9a-z]+\.json$/

/** Some file systems keep times no finer than this. */
const TIME_STEP_NS = 2_000_000_000n
const CHUNK_BYTES = 1 << 20

/** What of a plan's folder Stowage did not make for that plan, by paths below the folder. */
export interface ForeignParts {
  /** Names that Stowage does not give: they stay where they are when the plan is replaced. */
  readonly kept: readonly string[]
  /** What is not as Stowage made it though it has such a name, or lies where only Stowage's files may be. */
  readonly changed: readonly string[]
}

/** The plan that is in a folder, as far as it says which files are its own. */
type OldPlan = Pick<PlanDocument, 'id' | 'medium' | 'volumes' | 'lists' | 'equalFiles'>

/**
 * Looks through a plan's folder that another export is to replace, letting the engine answer in between.
 * @param planId of the plan that comes there: what was built from the same one stays
 * @throws AppError `refused` naming the first thing that cannot stay and is not Stowage's own; `cancelled`, `io`
 */
export async function foreignParts(
  directory: string,
  planId: string | null,
  signal?: AbortSignal,
): Promise<ForeignParts> {
  const pause = pausing(() => throwIfAborted(signal))
  const steps = lookThrough(directory, planId)
  return attempt('read', directory, async () => {
    for (;;) {
      const step = steps.next()
      if (step.done) return requireUnchanged(directory, step.value)
      await pause()
    }
  })
}

/** A step at a time: each is a look at one file, or at a piece of one. */
export function* lookThrough(directory: string, planId: string | null): Generator<void, ForeignParts> {
  const plan = planIn(directory)
  if (plan === null) throw refusal(directory, 'plan.json', 'it is not a plan exported by Stowage')
  const kept: string[] = []
  const changed: string[] = []
  const lists = new Map(plan.lists?.map((list) => [list.path, list]))
  const look: Look = { directory, plan, place: 'volumes', lists, digests: new Map() }
  const packed = planIn(joinPath(directory, 'packed'))
  const built: Look = packed
    ? {
        ...look,
        plan: packed,
        place: 'packed/volumes',
        lists: new Map(packed.lists?.map((list) => [list.path, list])),
      }
    : look
  const isSame = plan.id === planId
  const own = new Set([
    ...EXPORTED_TEXTS,
    ...(plan.medium.kind === 'image' ? EXPORTED_SCRIPTS : []),
    ...lists.keys(),
  ])
  for (const name of namesIn(directory)) {
    if (name === 'volumes' && isFolder(directory, name)) yield* foreignLists(look, changed)
    else if (own.has(name)) {
      if (!(yield* isAsListed(look, name))) changed.push(name)
    } else if (name !== 'volumes' && (isSame || !MADE_LATER.has(name))) kept.push(name)
    else if (!isFolder(directory, name)) changed.push(name)
    else yield* foreignResults(built, name, kept, changed)
  }
  return { kept, changed }
}

interface Look {
  readonly directory: string
  readonly plan: OldPlan
  /** Where the lists of what is built are. */
  readonly place: ListsPlace
  readonly lists: ReadonlyMap<string, PlanList>
  /** By device and number: the lists of a plan are hard links of each other where that is possible. */
  readonly digests: Map<string, string>
}

/** Below `volumes` everything is read by builds: nothing but the plan's lists may be there. */
function* foreignLists(look: Look, changed: string[]): Generator<void> {
  const { plan, directory } = look
  const files = plan.lists?.map(({ path }) => path) ?? listsOfOlder(look)
  const own = new Set(['volumes/', ...files])
  for (const path of files) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      own.add(path.slice(0, slash + 1))
  }
  for (const path of pathsBelow(directory, 'volumes')) {
    yield
    const isOwn = isFolder(directory, path)
      ? own.has(`${path}/`)
      : own.has(path) && (yield* isAsListed(look, path))
    if (!isOwn && own.has(`${folderOf(path)}/`)) changed.push(path)
  }
}

/** The names that exports of older versions have, which kept no digests. */
function listsOfOlder({ directory, plan }: Look): string[] {
  return plan.volumes.flatMap(({ index }) => {
    const { entries, list, sums, payload } = volumePlaces(index, plan.volumes.length)
    const own = namesIn(joinPath(directory, payload)).flatMap((name) =>
      PAYLOAD.map((file) => joinPath(payload, name, file)),
    )
    return [entries, list, sums, ...own]
  })
}

/** What lies in `images`, `folders` or `runs`. */
function* foreignResults(look: Look, part: string, kept: string[], changed: string[]): Generator<void> {
  if (part === 'packed') {
    for (const path of pathsBelow(look.directory, part)) {
      yield
      const isOwn = isFolder(look.directory, path) || look.lists.has(path) || PACKED_TEXTS.has(path)
      if (!isOwn) kept.push(path)
    }
    return
  }
  for (const name of namesIn(joinPath(look.directory, part))) {
    yield
    const path = joinPath(part, name)
    if (part === 'work') {
      if (!WORK_PARTS.test(name)) kept.push(path)
    } else if (part === 'runs') {
      if (!isRunFile(look, path, name)) kept.push(path)
    } else if (HALF_MADE.test(name)) continue
    else if (part === 'images' ? VOLUME_IMAGE.test(name) : VOLUME_FOLDER.test(name)) {
      yield* foreignInBuilt(look, path, changed)
    } else kept.push(path)
  }
}

/**
 * Looks through the image or the folder of a built volume, a step at a time.
 * @param path below the plan's folder
 * @param changed receives what Stowage did not make for this volume
 */
export function* foreignInBuilt(
  look: Pick<Look, 'directory' | 'plan' | 'place'>,
  path: string,
  changed: string[],
): Generator<void> {
  if (path.startsWith('folders/')) yield* foreignInFolder(look, path, changed)
  else if (!isImage(look, path)) changed.push(path)
}

/** Of volumes that a run claimed to write them: see `writePool.ts`. */
const WRITE_LOCK = /^\.write-(?:disc|[0-9a-f]{8})-\d+\.lock$/

/** The empty file of a lease, or the record of a run of this plan. */
function isRunFile({ directory, plan }: Look, path: string, name: string): boolean {
  const facts = lstatAt(joinPath(directory, path))
  if (facts === null || !facts.isFile()) return false
  if (name === '.lock' || WRITE_LOCK.test(name)) return facts.size === 0n
  if (!RUN_RECORD.test(name)) return false
  try {
    const run: unknown = JSON.parse(readFileSync(fsPath(joinPath(directory, path)), 'utf8'))
    const { id, planId } = run as { id?: unknown; planId?: unknown }
    return `${String(id)}.json` === name && planId === plan.id
  } catch {
    return false
  }
}

/** Whether an image has the size and the label of its volume. Its content is not read. */
function isImage({ directory, plan }: Pick<Look, 'directory' | 'plan'>, path: string): boolean {
  const volume = plan.volumes.find(({ index }) => volumePlaces(index, plan.volumes.length).image === path)
  const facts = lstatAt(joinPath(directory, path))
  if (volume === undefined || !facts?.isFile() || facts.size !== BigInt(volume.sectors) * 2048n) return false
  // ECMA-119 8.4: the primary volume descriptor in sector 16, its volume identifier at 40.
  const descriptor = Buffer.alloc(72)
  const file = openSync(fsPath(joinPath(directory, path)), 'r')
  try {
    readSync(file, descriptor, 0, descriptor.length, 16 * 2048)
  } finally {
    closeSync(file)
  }
  const text = descriptor.toString('latin1')
  return text.slice(1, 6) === 'CD001' && text.slice(40).trimEnd() === volume.label
}

/** A folder that was built counts as a whole volume, so nothing else may be in it. Contents are not read. */
function* foreignInFolder(
  { directory, plan, place }: Pick<Look, 'directory' | 'plan' | 'place'>,
  path: string,
  changed: string[],
): Generator<void> {
  const places = plan.volumes
    .map(({ index }) => volumePlaces(index, plan.volumes.length, place))
    .find(({ folder }) => folder === path)
  if (places === undefined || !isFolder(directory, path)) {
    changed.push(path)
    return
  }
  const [payload = ''] = namesIn(joinPath(directory, places.payload))
  const own = joinPath(places.payload, payload)
  const payloadFiles = new Map(
    namesIn(joinPath(directory, own)).map((name) => [
      name,
      { bytes: Number(lstatAt(joinPath(directory, own, name))?.size), sha256: '' },
    ]),
  )
  const entries = yield* entriesIn(joinPath(directory, places.entries))
  const expected = expectedTree({ entries, payloadName: payload }, payloadFiles)
  const times = new Map(entries.map((entry) => [entry.path, 'mtimeNs' in entry ? entry.mtimeNs : undefined]))
  // Further names of a file have its time.
  if (plan.equalFiles) for (const [name, first] of equalFiles(entries)) times.set(name, times.get(first))
  for (const found of pathsBelow(directory, path)) {
    yield
    const name = found.slice(path.length + 1)
    const wanted = expected.get(name)
    const facts = lstatAt(joinPath(directory, found))
    if (facts === null) continue
    if (wanted?.kind === 'folder' && facts.isDirectory()) continue
    if (wanted?.kind === 'symlink' && facts.isSymbolicLink()) {
      const target = readlinkSync(fsPath(joinPath(directory, found)), { encoding: 'buffer' })
      if (pathFromBytes(target) === wanted.target) continue
    }
    if (wanted?.kind === 'file' && facts.isFile() && facts.size === BigInt(wanted.bytes)) {
      if (isNear(facts.mtimeNs, times.get(name))) continue
    }
    const above = expected.get(folderOf(found).slice(path.length + 1))
    if (folderOf(found) === path || above?.kind === 'folder') changed.push(found)
  }
}

function isNear(mtimeNs: bigint, planned: string | undefined): boolean {
  if (planned === undefined) return true
  const apart = BigInt.asIntN(64, entryTime(mtimeNs) - BigInt(planned))
  return apart > -TIME_STEP_NS && apart < TIME_STEP_NS
}

function* entriesIn(path: string): Generator<void, PlanEntry[]> {
  const entries: PlanEntry[] = []
  const lines = lineSplitter((line) => entries.push(JSON.parse(line) as PlanEntry))
  for (const chunk of chunksOf(path)) {
    lines.push(chunk)
    yield
  }
  lines.end()
  return entries
}

/** Whether a file has the length and digest that the plan was exported with; without these any file of the name passes. */
function* isAsListed({ directory, lists, digests }: Look, path: string): Generator<void, boolean> {
  const facts = lstatAt(joinPath(directory, path))
  if (facts === null) return true
  if (!facts.isFile()) return false
  const listed = lists.get(path)
  if (listed === undefined) return true
  if (facts.size !== BigInt(listed.bytes)) return false
  const identity = `${facts.dev}:${facts.ino}`
  let digest = digests.get(identity)
  if (digest === undefined) {
    const hash = createHash('sha256')
    for (const chunk of chunksOf(joinPath(directory, path))) {
      hash.update(chunk)
      yield
    }
    digest = hash.digest('hex')
    digests.set(identity, digest)
  }
  return digest === listed.sha256
}

function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(fsPath(path), 'r')
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const length = readSync(file, chunk)
      if (length === 0) return
      yield chunk.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** Everything below a folder, each folder before what it holds. Links are not followed. */
function* pathsBelow(directory: string, folder: string): Generator<string> {
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of namesIn(joinPath(directory, next))) {
      const path = joinPath(next, name)
      yield path
      if (isFolder(directory, path)) folders.push(path)
    }
  }
}

/** The plan that lies in a folder, or null when there is none. @throws the system's errors */
export function planIn(directory: string): OldPlan | null {
  try {
    const text = readFileSync(fsPath(joinPath(directory, 'plan.json')), 'utf8')
    return planDocumentSchema
      .pick({ id: true, medium: true, volumes: true, lists: true, equalFiles: true })
      .parse(JSON.parse(text))
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    // What cannot be read now may be whole all the same.
    if (code !== undefined && code !== 'ENOENT') throw thrown
    return null
  }
}

function requireUnchanged(directory: string, parts: ForeignParts): ForeignParts {
  const [first, ...others] = parts.changed
  if (first === undefined) return parts
  throw notOfPlan('replace the plan in', directory, first, others.length)
}

/**
 * `cannot replace the plan in /plans/a: move images/01.iso away first, as Stowage did not make it for this plan`
 * @param others how many more are like it
 */
export function notOfPlan(doing: string, directory: string, path: string, others: number): AppError {
  const more = others === 0 ? '' : ` (and ${others} more)`
  return refusal(directory, path, `Stowage did not make it for this plan${more}`, doing)
}

/** `cannot replace the plan in /plans/a: move images/01.iso away first, as <because>` */
export function refusal(
  directory: string,
  path: string,
  because: string,
  doing = 'replace the plan in',
): AppError {
  const at = joinPath(directory, path)
  return new AppError(
    'refused',
    `cannot ${doing} ${pathForDisplay(directory)}: move ${pathForDisplay(path)} away first, as ${because}`,
    { path: at },
  )
}

function isFolder(directory: string, path: string): boolean {
  return lstatAt(joinPath(directory, path))?.isDirectory() ?? false
}
