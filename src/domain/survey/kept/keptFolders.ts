import { type Stepwise, sortedStepwise } from '../../../primitives/stepwise'
import type { KeptDocument, KeptFolder } from './keptDocument'
import type { Folder } from './sourceFolders'

/** True for a content that is kept, by its number. */
export type IsKept = (content: number) => boolean

type Sums = Omit<KeptFolder, 'path'>

/** Names that are looked at in one step. */
const STEP = 512

/**
 * How much of each folder is kept, with all below it.
 * @param order all folders, each before those that it holds
 */
export function* keptFolders(order: readonly Folder[], isKept: IsKept): Stepwise<Map<Folder, Sums>> {
  const sums = new Map<Folder, Sums>()
  for (let at = order.length - 1; at >= 0; at--) {
    const folder = order[at] as Folder
    const own = yield* sumsOf(folder, isKept)
    for (const each of folder.below.values()) add(own, sums.get(each) as Sums)
    sums.set(folder, own)
    if (at % STEP === 0) yield
  }
  // A folder without a file has nothing that is kept.
  for (const own of sums.values()) if (own.files === 0) own.whole = false
  return sums
}

/** The sums of several folders as the totals of a document. */
export function keptTotals(tops: readonly Folder[], sums: ReadonlyMap<Folder, Sums>): KeptDocument['totals'] {
  const all: Sums = noSums(true)
  for (const top of tops) add(all, sums.get(top) as Sums)
  const { files, bytes, keptFiles, keptBytes, byTimeOnlyFiles, byTimeOnlyBytes } = all
  return {
    files,
    bytes,
    byDigest: { files: keptFiles - byTimeOnlyFiles, bytes: keptBytes - byTimeOnlyBytes },
    byTime: { files: byTimeOnlyFiles, bytes: byTimeOnlyBytes },
    notKept: { files: files - keptFiles, bytes: bytes - keptBytes },
  }
}

/**
 * The folders, the largest first. Below one of which everything or nothing is kept the rows would
 * repeat that: there are none.
 */
export function* folderRows(
  tops: readonly Folder[],
  sums: ReadonlyMap<Folder, Sums>,
): Stepwise<KeptFolder[]> {
  const rows: KeptFolder[] = []
  const open = [...tops]
  for (let folder = open.pop(); folder; folder = open.pop()) {
    const own = sums.get(folder) as Sums
    if (own.files > 0 && folder.isFolder) rows.push({ path: folder.path, ...own })
    if (rows.length % STEP === 0) yield
    if (own.whole || own.keptFiles === 0) continue
    for (const each of folder.below.values()) open.push(each)
  }
  return yield* sortedStepwise(
    rows,
    (one, other) => other.bytes - one.bytes || (one.path < other.path ? -1 : 1),
  )
}

function noSums(whole: boolean): Sums {
  return { files: 0, bytes: 0, keptFiles: 0, keptBytes: 0, byTimeOnlyFiles: 0, byTimeOnlyBytes: 0, whole }
}

function* sumsOf({ files, isComplete }: Folder, isKept: IsKept): Stepwise<Sums> {
  const sums = noSums(isComplete)
  for (const [at, { bytes, content, hasDigest, isFurther }] of files.entries()) {
    if (at % STEP === STEP - 1) yield
    const kept = isKept(content)
    if (!kept) sums.whole = false
    if (isFurther) continue
    sums.files += 1
    sums.bytes += bytes
    if (!kept) continue
    sums.keptFiles += 1
    sums.keptBytes += bytes
    if (hasDigest) continue
    sums.byTimeOnlyFiles += 1
    sums.byTimeOnlyBytes += bytes
  }
  return sums
}

function add(sums: Sums, more: Sums): void {
  sums.files += more.files
  sums.bytes += more.bytes
  sums.keptFiles += more.keptFiles
  sums.keptBytes += more.keptBytes
  sums.byTimeOnlyFiles += more.byTimeOnlyFiles
  sums.byTimeOnlyBytes += more.byTimeOnlyBytes
  sums.whole &&= more.whole
}
