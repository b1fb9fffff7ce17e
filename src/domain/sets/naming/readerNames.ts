import { comparablePath, pathForDisplay } from '../../../primitives/pathText'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { InventoryItem } from '../packing/inventory'
import type { PlanProblem } from '../planDocument'
import type { ReaderNameCode } from './readerNameCodes'
import { DEVICE } from './targetNames'

/** The most characters of a name in UDF: of Latin-1, or of UTF-16 where any other is in it. */
const LONGEST_LATIN = 254
const LONGEST_WIDE = 127
/** The path that programs of Windows without long paths open: 260 with a drive, and the end. */
const LONGEST_WINDOWS_PATH = 260 - 'D:\\'.length - 1
const WINDOWS_FORBIDDEN = /[<>:"\\|?*\p{Cc}]/u
/** Names of each kind that are listed; all are restored with their own names. */
const LISTED = 20

/** A kind of name that a system shows in another way. */
interface Finding {
  readonly code: ReaderNameCode
  /** Why, after the name. */
  readonly reason: string
  /** The name that is shown instead, and the cure. */
  readonly instead: string
}

/**
 * The names of an inventory that a system which reads its discs would show otherwise: what UDF
 * cannot hold, what Windows changes or takes for one name, and what a Mac does. None keeps a plan
 * from being carried out: Linux shows all of them as they are, and restoring puts them back from
 * the index.
 */
export function readerNames(items: Iterable<InventoryItem>): PlanProblem[] {
  const found = new Map<string, { shown: PlanProblem[]; all: number }>()
  const add = (path: string, { code, reason, instead }: Finding): void => {
    const kind = found.get(code) ?? { shown: [], all: 0 }
    found.set(code, kind)
    kind.all += 1
    if (kind.shown.length >= LISTED) return
    const message = said`${pathForDisplay(path)} ${reason}: ${instead}`
    kind.shown.push({ code, message, path, reason, blocking: false })
  }
  const folded = new Map<string, string>()
  for (const { path, kind } of items) {
    // Links are not in UDF, and other systems do not show them.
    if (path === '' || kind === 'symlink') continue
    const name = path.slice(path.lastIndexOf('/') + 1)
    const udf = udfFinding(name)
    if (udf) add(path, udf)
    const windows = windowsFinding(name, path)
    if (windows) add(path, windows)
    const key = comparablePath(path).toLowerCase()
    const other = folded.get(key)
    if (other === undefined) folded.set(key, path)
    else add(path, clash(path, other))
  }
  for (const [code, { shown, all }] of found) {
    const more = all - shown.length
    if (more === 0) continue
    const names = formatCounted(more, 'more name')
    const message =
      more === 1 ? said`${names} of this kind is not listed` : said`${names} of this kind are not listed`
    shown.push({ code, message, names: more, blocking: false })
  }
  return [...found.values()].flatMap(({ shown }) => shown)
}

function udfFinding(name: string): Finding | null {
  const code = 'name-not-in-udf'
  const instead =
    'systems that read UDF show another one, with # and four digits; it is restored with its own'
  if (!name.isWellFormed()) return { code, reason: said`has a name that is not UTF-8`, instead }
  if (/[\ufeff\ufffe]/.test(name))
    return { code, reason: said`has a mark of byte order in its name, which UDF excludes`, instead }
  const isWide = /[^\0-\xff]/.test(name)
  if (name.length <= (isWide ? LONGEST_WIDE : LONGEST_LATIN)) return null
  const most = isWide ? LONGEST_WIDE : LONGEST_LATIN
  return {
    code,
    reason: said`has a name of ${name.length} characters, and UDF holds ${most} of these`,
    instead,
  }
}

function windowsFinding(name: string, path: string): Finding | null {
  const code = 'name-on-windows'
  const instead = 'Windows shows another name; restore it with Stowage, or rename it before'
  const forbidden = WINDOWS_FORBIDDEN.exec(name)?.[0]
  if (forbidden !== undefined)
    return { code, reason: said`has ${pathForDisplay(forbidden)} in its name`, instead }
  if (/[. ]$/.test(name)) return { code, reason: said`ends with a dot or a space`, instead }
  if (DEVICE.test(name)) return { code, reason: said`has the name of a device`, instead }
  if (path.length <= LONGEST_WINDOWS_PATH) return null
  return {
    code: 'path-on-windows',
    reason: said`has a path of ${path.length} characters`,
    instead: `some programs of Windows open no more than ${LONGEST_WINDOWS_PATH}; copy its folder from the disc first`,
  }
}

function clash(path: string, other: string): Finding {
  const isAccents = path.toLowerCase() !== other.toLowerCase()
  const differ = isAccents ? said`how accents are encoded` : said`upper and lower case`
  return {
    code: 'names-differ-in-form',
    reason: said`and ${pathForDisplay(other)} differ in ${differ} only`,
    instead: 'Windows and macOS may open one for the other; restore them with Stowage',
  }
}
