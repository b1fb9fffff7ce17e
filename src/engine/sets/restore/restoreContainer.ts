import { rm } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { fsPath, joinPath } from '../../files/fileSystem'
import { type ContentPlace, sha256Of } from '../../files/read'
import { LazyTempFolder, withSystemTempFolder } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { WorkSteps } from '../../jobs/workSteps'
import { digestsOf } from '../unpack/foundDigests'
import { FETCHED, needsOwnNames, UNPACKED, type Unpacked, unpack } from '../unpack/unpack'
import type { Container, FoundMember, Unpacking } from '../unpack/unpacker'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import { noteWaiting } from './joinFile'
import { repositoryFolder } from './repositoryFolder'
import type { PackedFiles, WholeFile } from './restorePlan'
import { type Restoring, withoutContent } from './restoring'
import { notIn, type SetContainer } from './setContainers'
import { requireNamesAndSpace } from './targetTraits'

/** This many files of a container are hashed at once, and then take their places. */
const HASHED_AT_ONCE = 1000
/** More than any key of a repository has. */
const KEY_BYTES = 1 << 20

/** A container as it lies at hand. */
interface Fetched {
  readonly from: Container
  /** A file that was joined from parts in the target, only to be unpacked. */
  readonly joined: string | null
  /**
   * True when it was joined from damaged parts: its members are taken as far as they can be read.
   */
  readonly isDamaged: boolean
}

/**
 * Unpacks a container, and restores those of its files that are not there already.
 * @param parent a folder in the target for what is unpacked
 * @throws AppError what hinders all files: `wrong-password`, `tool-missing`, `no-space`,
 *   `cancelled`
 */
export async function restoreContainer(
  restoring: Restoring,
  { container, files }: PackedFiles,
  parent: string,
): Promise<void> {
  const { record, target } = restoring
  const waiting: WholeFile[] = []
  for (const file of files) {
    await record.counting(workOn(file), async (onBytes) => {
      if (await target.keeps(file.whole, onBytes)) {
        record.meter.notUnpacked(file.bytes)
        return 'kept'
      }
      waiting.push(file)
      return 'waiting'
    })
  }
  if (waiting.length === 0) return
  if (!(restoring.changesNames && needsOwnNames(container.method)))
    return restoreWaiting(restoring, { container, files: waiting }, parent)
  await withSystemTempFolder(restoring.notes, 'restore', async (folder) => {
    await requireNamesAndSpace(folder, bytesOf(waiting))
    await restoreWaiting(restoring, { container, files: waiting }, folder)
  })
}

/**
 * @param parent a folder that can hold the names of the container's files, if those are unpacked
 *   under their names
 */
async function restoreWaiting(
  restoring: Restoring,
  { container, files }: PackedFiles,
  parent: string,
): Promise<void> {
  const { record } = restoring
  const { meter } = record
  const scratch = new LazyTempFolder(() => joinPath(parent, newId('container')))
  let fetched: Fetched | null = null
  let isDone = false
  meter.begin(files)
  try {
    const before = meter.bytesDone
    const bytes = bytesOf(files)
    const steps = new WorkSteps((share) => {
      meter.bytesDone = before + bytes * share
      record.progress(container.path)
    })
    fetched = await fetchedContainer(restoring, { container, files }, scratch, steps.until(FETCHED))
    if (fetched === null) return
    const onShare = steps.until(UNPACKED)
    const unpacked = await unpackedMembers(restoring, container, fetched, files, scratch, { bytes, onShare })
    await takeMembers(restoring, { container, files }, { ...unpacked, scratch, share: steps.left })
    isDone = true
  } finally {
    meter.end(isDone)
    // Joined only to be unpacked; when something ends the restore, a right one waits for the next.
    if (fetched?.joined && (isDone || fetched.isDamaged)) await rm(fsPath(fetched.joined), { force: true })
    await scratch.remove()
  }
}

/**
 * Fetches a container, joining it if need be; null if something of it is on other volumes, which is
 * noted.
 */
async function fetchedContainer(
  restoring: Restoring,
  { container, files }: PackedFiles,
  scratch: LazyTempFolder,
  onShare: (share: number) => void,
): Promise<Fetched | null> {
  const { places, volumes, signal, target, record } = restoring
  const { kind, path, rows } = container
  const [first] = rows
  if (!first) return null
  if (kind === 'file') {
    const from = places.get(first)
    return from ? { from, joined: null, isDamaged: false } : null
  }
  const placed = rows.map((row) => ({ row, from: places.get(row) ?? null }))
  if (kind === 'repository') {
    const folders = volumes.flatMap(({ folder }) => folder ?? [])
    const folder = await repositoryFolder(path, placed, folders, { scratch, signal, onShare })
    return { from: { folder }, joined: null, isDamaged: false }
  }
  const parts = placed.flatMap(({ row, from }) => (row.kind === 'part' ? [{ ...row, from }] : []))
  const sha256 = parts[0]?.wholeSha256 ?? ''
  const bytes = bytesOf(parts)
  const name = `stowage-${sha256.slice(0, 16)}.joining`
  let done = 0
  const onBytes = (more: number): void => onShare((done += more) / (2 * bytes))
  const joined = await target.joinedAt({ path, bytes, sha256 }, parts, [name], onBytes)
  if (joined.lacking.length === 0) {
    for (const { error } of joined.unread) record.note(error.message)
    const from = { file: joined.path, offset: 0, bytes }
    return { from, joined: joined.path, isDamaged: !joined.isWhole }
  }
  for (const file of files) await withoutContent(restoring, file, joined.lacking)
  await noteWaiting(restoring, path, joined)
  return null
}

async function unpackedMembers(
  { request: { password }, record, signal, places }: Restoring,
  container: SetContainer,
  { from, isDamaged }: Fetched,
  files: readonly WholeFile[],
  parent: LazyTempFolder,
  following: Pick<Unpacking, 'bytes' | 'onShare'>,
): Promise<Unpacked> {
  const unpacking = new LazyTempFolder(() => joinPath(parent.path(), 'members'))
  const members = new Set(files.map(({ whole }) => whole.packed?.member ?? ''))
  record.progress(container.path)
  const work = { scratch: () => unpacking.path(), digestsOnly: false, password, signal, ...following }
  try {
    return await unpack(container.method, from, members, work)
  } catch (thrown) {
    const failure = AppError.from(thrown)
    if (failure.code !== 'wrong-password') throw failure
    if (!isDamaged && !(await isDamagedContainer(container, places, signal))) throw failure
    const because = said`its content is damaged (SHA-256 differs)`
    return { found: new Map(), failure: new AppError('verification-failed', because) }
  }
}

/**
 * True when a container is not as listed: checked because programs take some damage for a wrong
 * password. Joined containers are proved already.
 */
async function isDamagedContainer(
  { kind, rows }: SetContainer,
  places: Restoring['places'],
  signal: AbortSignal,
): Promise<boolean> {
  for (const row of kind === 'parts' ? [] : rows) {
    // Of a repository only keys and settings count, which are short.
    if (kind === 'repository' && row.bytes > KEY_BYTES) continue
    // The password has opened the index already.
    if (row.sha256 === PENDING_SHA256) return true
    const place = places.get(row)
    if (place && (await sha256Of(place, signal)) !== row.sha256) return true
  }
  return false
}

/**
 * Gives what was unpacked its places in the target. Our own files there are moved, once their
 * digests are right.
 */
async function takeMembers(
  { request, record, target, signal }: Restoring,
  { container, files }: PackedFiles,
  { found, failure, scratch, share }: Unpacked & { readonly scratch: LazyTempFolder; readonly share: number },
): Promise<void> {
  const foundOf = ({ whole }: WholeFile): FoundMember | undefined => found.get(whole.packed?.member ?? '')
  // In an archive that grows, several files may have the content of one member.
  const uses = new Map<string, number>()
  for (const file of files) {
    const content = foundOf(file)?.content
    if (content && 'file' in content) uses.set(content.file, (uses.get(content.file) ?? 0) + 1)
  }
  const isOurs = (content: FoundMember['content']): content is ContentPlace =>
    content !== null &&
    'file' in content &&
    content.offset === 0 &&
    uses.get(content.file) === 1 &&
    scratch.holds(content.file) &&
    scratch.path().startsWith(`${request.to}/`)
  for (let at = 0; at < files.length; at += HASHED_AT_ONCE) {
    const some = files.slice(at, at + HASHED_AT_ONCE)
    const own = some.flatMap((file) => {
      const one = foundOf(file)
      return one && isOurs(one.content) ? [[file.path, one] as const] : []
    })
    const before = record.meter.bytesDone
    const follow = (done: number): void => {
      record.meter.bytesDone = before + done * share
      record.progress(container.path)
    }
    const digests = await digestsOf(own, signal, follow)
    follow(own.reduce((sum, [, { bytes }]) => sum + bytes, 0))
    for (const file of some) {
      const { path, whole } = file
      const from = foundOf(file)?.content
      const ours = digests.get(path)
      const work = async (onBytes: (done: number) => void): Promise<'written'> => {
        if (!from) throw notIn(path, container.path, failure?.message ?? 'it is not there')
        if (ours instanceof AppError) throw ours
        return target.absentFile({ ...whole, from, ours }, onBytes)
      }
      await record.counting(workOn(file), work, ours === undefined ? share : 0)
    }
  }
  // Some systems cannot remove what is open.
  await target.close()
}

function workOn({ path, bytes, whole: { label } }: WholeFile) {
  return { path, label, bytes }
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
