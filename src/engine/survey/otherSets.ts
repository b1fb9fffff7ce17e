import { joinPath } from '../files/fileSystem'
import { planIdIn } from '../files/read'
import { type EntryBatch, entryPath, NATIVE_KIND } from '../native/addon'

/** How many folders a survey's document names. */
const NAMED = 1000
const PLAN = Buffer.from('plan.json')
const SCRIPT = Buffer.from('RESTORE.sh')
const VOLUME = /^(?:(.+)\/)?STOWAGE(?:-\d+)?\/RESTORE\.sh$/
const PLAN_FOLDER = /^(?:(.+)\/)?plan\.json$/

/** Finds the plan folders and volumes of Stowage among a survey's entries. */
export interface OtherSets {
  /** The batch's entries `from` (included) to `to`. */
  add(batch: EntryBatch, from: number, to: number): void
  /** Absolute paths in order, without folders that lie in another of them. */
  folders(): string[]
}

/**
 * None yet. Roots that are sets themselves, and what is in them, are not named: the person knows.
 */
export function otherSets(roots: readonly string[]): OtherSets {
  const found = new Set<string>()
  const meet = (path: string, root: string): void => {
    const volume = VOLUME.exec(path)
    if (volume) found.add(joinPath(root, volume[1] ?? ''))
    const plan = PLAN_FOLDER.exec(path)
    const planFolder = joinPath(root, plan?.[1] ?? '')
    if (plan && planIdIn(planFolder) !== null) found.add(planFolder)
  }
  return {
    add(batch, from, to) {
      for (let index = from; index < to && found.size < NAMED; index++) {
        if (batch.kinds[index] !== NATIVE_KIND.file) continue
        const end = batch.pathEnds[index] ?? 0
        if (!endsWith(batch.pathBytes, end, PLAN) && !endsWith(batch.pathBytes, end, SCRIPT)) continue
        meet(entryPath(batch, index), roots[batch.rootIndex[index] ?? 0] ?? '')
      }
    },
    folders: () => [...found].filter((path) => !roots.includes(path) && !isInOneOf(found, path)).toSorted(),
  }
}

function isInOneOf(folders: ReadonlySet<string>, path: string): boolean {
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
    if (folders.has(path.slice(0, slash) || '/')) return true
    if (slash === 0) break
  }
  return false
}

/** True when the bytes up to `end` end with these. The last one decides for nearly all paths. */
function endsWith(bytes: Uint8Array, end: number, name: Buffer): boolean {
  for (let back = 1; back <= name.length; back++) {
    if (bytes[end - back] !== name[name.length - back]) return false
  }
  return true
}
