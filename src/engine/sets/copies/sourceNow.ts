import type { SurveyDocument } from '../../../contract/dto/survey'
import type { SafeDocument } from '../../../domain/sets/copies/safeDocument'
import type { SourceFlaw } from '../../../domain/sets/copies/safeToDelete'
import { type Excluded, NO_RULES } from '../../../domain/survey/rules/rules'
import { AppError } from '../../../primitives/appError'
import type { Catalog } from '../../catalog/catalog'
import { ownFolders } from '../../catalog/ownFolders'
import type { SourceEntry } from '../../catalog/sourceFiles'
import { lstatAt } from '../../files/fileSystem'
import type { Pause } from '../../jobs/slowly'
import { type EntryBatch, entryPath, NATIVE_KIND } from '../../native/addon'
import { absolutePath, isSkip } from '../../survey/surveyFigures'
import { surveyRoots } from '../../survey/surveyRoots'
import { listSource } from '../../survey/walk/listSource'

type SourceCatalog = Pick<Catalog, 'ownPlaces' | 'sourceFiles' | 'surveySkips'>

const STEP = 512

interface Found {
  readonly kind: 'file' | 'folder' | 'symlink'
  /** Null for a further name of a file. */
  readonly bytes: number | null
  readonly mtimeNs: bigint
  readonly target: string | null
}

/** Collects the paths of one kind of difference, and lists the first of them. */
class Difference {
  readonly #code: SourceFlaw['code']
  readonly #limit: number
  readonly #paths: string[] = []
  #files = 0
  #bytes = 0

  constructor(code: SourceFlaw['code'], limit: number) {
    this.#code = code
    this.#limit = limit
  }

  add(path: string, bytes = 0): void {
    this.#files += 1
    this.#bytes += bytes
    if (this.#paths.length < this.#limit) this.#paths.push(path)
  }

  flaws(): SourceFlaw[] {
    const { length } = this.#paths
    if (this.#files === 0 && length === 0) return []
    return [{ code: this.#code, files: this.#files, bytes: this.#bytes, paths: this.#paths }]
  }
}

/** A source as it is now. */
export interface SourceNow {
  /** How it differs from its survey, and what the survey itself lacks. */
  readonly flaws: readonly SourceFlaw[]
  /** The files that rules leave out now, all of those in folders too; null where there are none. */
  readonly leftOut: SafeDocument['leftOut']
}

/**
 * How a source differs now from its survey: names, sizes, modification times and targets of links,
 * by listing it with the survey's rules; no file is opened. Memory grows with the number of
 * entries.
 * @param limit how many paths are listed of each kind
 * @throws AppError `cancelled`, as `pause` does
 */
export async function sourceNow(
  catalog: SourceCatalog,
  survey: SurveyDocument,
  { limit, pause }: { readonly limit: number; readonly pause: Pause },
): Promise<SourceNow> {
  const skipped = new Difference('skipped', limit)
  const skips = new Set<string>()
  for (const { path, code } of catalog.surveySkips(survey.id)) {
    skips.add(path)
    if (code !== 'special-file' && code !== 'cancelled') skipped.add(path)
  }
  const partial: SourceFlaw[] = survey.partial ? [{ code: 'partial', files: 0, bytes: 0, paths: [] }] : []
  let now: Awaited<ReturnType<typeof listed>>
  try {
    now = await listed(catalog, survey, pause)
  } catch (thrown) {
    const { code, path } = AppError.from(thrown)
    if (code === 'cancelled') throw thrown
    const unread = { code: 'unread', files: 0, bytes: 0, paths: [path ?? survey.roots[0] ?? ''] } as const
    return { flaws: [unread, ...partial], leftOut: countedOf(survey.excluded) }
  }
  const [unread, changed, added, gone, excluded] = (
    ['unread', 'changed', 'added', 'gone', 'excluded'] as const
  ).map((code) => new Difference(code, limit)) as [Difference, Difference, Difference, Difference, Difference]
  for (const path of now.unread) if (!skips.has(path)) unread.add(path)
  let looked = 0
  for (const entry of catalog.sourceFiles(survey.id, true)) {
    if (++looked % STEP === 0) await pause()
    const key = keyOf(entry.rootIndex, entry.path)
    const found = now.entries.get(key)
    now.entries.delete(key)
    const path = pathOf(survey.roots, key)
    if (!found) {
      // Rules in the source itself may have come since.
      if (isThere(path)) excluded.add(path, entry.bytes)
      else gone.add(path, entry.bytes)
    } else if (isChanged(entry, found)) changed.add(path, entry.bytes)
  }
  for (const [key, { bytes }] of now.entries) {
    const path = pathOf(survey.roots, key)
    if (!skips.has(path)) added.add(path, bytes ?? 0)
  }
  return {
    flaws: [
      ...unread.flaws(),
      ...partial,
      ...changed.flaws(),
      ...added.flaws(),
      ...gone.flaws(),
      ...excluded.flaws(),
      ...skipped.flaws(),
    ],
    leftOut: countedOf(now.excluded),
  }
}

function isThere(path: string): boolean {
  try {
    return lstatAt(path) !== null
  } catch {
    return false
  }
}

function countedOf(excluded: Excluded | null | undefined): SafeDocument['leftOut'] {
  if (!excluded || excluded.files + excluded.folders === 0) return null
  return { files: excluded.files, bytes: excluded.bytes, folders: excluded.folders }
}

/** Lists the source as it is now, by the survey's rules. */
async function listed(
  catalog: Pick<Catalog, 'ownPlaces'>,
  { roots, rules }: SurveyDocument,
  pause: Pause,
): Promise<{ entries: Map<string, Found>; unread: string[]; excluded: Excluded | null }> {
  const real = await surveyRoots(roots)
  const other = roots.find((root, at) => real[at] !== root)
  if (other !== undefined) throw new AppError('changed', 'a link leads elsewhere', { path: other })
  const entries = new Map<string, Found>()
  const unread: string[] = []
  const { excluded } = await listSource(
    { roots, rules: rules ?? NO_RULES, leaveOut: ownFolders(catalog) },
    pause,
    (batch) => take(batch, roots, entries, unread),
  )
  return { entries, unread, excluded }
}

function take(
  batch: EntryBatch,
  roots: readonly string[],
  entries: Map<string, Found>,
  unread: string[],
): void {
  for (let index = 0; index < batch.count; index++) {
    const native = batch.kinds[index]
    if (native === NATIVE_KIND.skipped) {
      const skip = batch.skips.get(index)
      if (skip && isSkip(skip)) unread.push(absolutePath(batch, index, roots))
      continue
    }
    const kind =
      native === NATIVE_KIND.folder ? 'folder' : native === NATIVE_KIND.symlink ? 'symlink' : 'file'
    entries.set(keyOf(batch.rootIndex[index] ?? 0, entryPath(batch, index)), {
      kind,
      bytes: native === NATIVE_KIND.file ? (batch.bytes[index] ?? 0) : null,
      mtimeNs: batch.mtimeNs[index] ?? 0n,
      target: batch.linkTargets.get(index) ?? null,
    })
  }
}

function isChanged(entry: SourceEntry, found: Found): boolean {
  const kind = entry.kind === 'hardLink' ? 'file' : entry.kind
  if (kind !== found.kind) return true
  if (kind === 'folder') return false
  if (kind === 'symlink') return entry.linkTarget !== found.target
  // Which of a file's names is the file may differ from walk to walk.
  if (entry.kind === 'file' && found.bytes !== null && entry.bytes !== found.bytes) return true
  return BigInt.asIntN(64, BigInt(entry.mtimeNs ?? '0')) !== found.mtimeNs
}

function keyOf(rootIndex: number, path: string): string {
  return `${rootIndex}/${path}`
}

function pathOf(roots: readonly string[], key: string): string {
  const slash = key.indexOf('/')
  const root = roots[Number(key.slice(0, slash))] ?? ''
  const below = key.slice(slash + 1)
  return below === '' ? root : `${root.replace(/\/$/, '')}/${below}`
}
