import type { TreeNode } from './fileTree'
import type { Findings } from './sectors'
import { isLatin1 } from './udfFields'

/** The most that UDF holds of a name: characters of Latin-1, and units of UTF-16. */
const LATIN_NAME = 254
const WIDE_NAME = 127
const MICROSECONDS = 1_000_000n

/**
 * Both trees list the same names with the same bytes. Links may be in one of them alone. A name that
 * UDF cannot hold has another one there: such files are found by their place, such folders by what
 * is in them.
 */
export function requireSameTrees(iso: TreeNode, udf: TreeNode, findings: Findings): void {
  const pairs: [TreeNode, TreeNode][] = [[iso, udf]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [inIso, inUdf] = [pair[0], pair[1]].map((node) =>
      node.children.filter(({ kind }) => kind !== 'link'),
    ) as [TreeNode[], TreeNode[]]
    const byName = new Map(inUdf.map((node) => [node.name, node]))
    const unnamed: TreeNode[] = []
    for (const node of inIso) {
      const twin = byName.get(node.name)
      byName.delete(node.name)
      if (twin) pairs.push([node, twin])
      else if (fitsUdf(node.name)) findings.add(`${node.path} is not in UDF, which can hold its name`)
      else unnamed.push(node)
    }
    const others = [...byName.values()]
    for (const node of unnamed) {
      const isTwin = (other: TreeNode): boolean =>
        other.kind === node.kind && contentKey(other) === contentKey(node)
      // Empty files are all in one place: their times tell them apart.
      const isOfTime = (other: TreeNode): boolean => isTwin(other) && secondsOf(other) === secondsOf(node)
      const dated = others.findIndex(isOfTime)
      const at = dated < 0 ? others.findIndex(isTwin) : dated
      if (at < 0) findings.add(`${node.path} is not in UDF under any name`)
      else pairs.push([node, ...others.splice(at, 1)] as [TreeNode, TreeNode])
    }
    for (const node of others) findings.add(`${node.path} of UDF is not in ISO 9660`)
    requireSame(pair[0], pair[1], findings)
  }
}

type Shown = string | number | bigint

function requireSame(iso: TreeNode, udf: TreeNode, findings: Findings): void {
  const path = iso.path === '' ? '/' : iso.path
  const differ = (what: string, one: Shown, other: Shown): void =>
    findings.add(`${path}: ${what} differs: ISO 9660 has ${one}, UDF ${other}`)
  if (iso.kind !== udf.kind) return differ('the kind', iso.kind, udf.kind)
  if (iso.bytes !== udf.bytes) differ('the length', iso.bytes, udf.bytes)
  else if (runsText(iso) !== runsText(udf)) differ('the place', runsText(iso), runsText(udf))
  // Names of one file have one time and one mode in UDF, their own in ISO 9660.
  if (path === '/' || udf.names() !== 1) {
    if (iso.kind === 'folder' || path === '/') requireSameFacts(iso, udf, differ)
    return
  }
  requireSameFacts(iso, udf, differ)
}

function requireSameFacts(
  iso: TreeNode,
  udf: TreeNode,
  differ: (what: string, one: Shown, other: Shown) => void,
): void {
  if (iso.path === '') return
  if (iso.permissions !== udf.permissions)
    differ('the mode', iso.permissions.toString(8), udf.permissions.toString(8))
  const [one, other] = [secondsOf(iso), secondsOf(udf)]
  if (one !== null && other !== null && one !== other) differ('the time', one, other)
}

/** The last change in whole seconds, which is what ISO 9660 holds of it. */
function secondsOf({ modifiedMicroseconds }: TreeNode): bigint | null {
  if (modifiedMicroseconds === null) return null
  const rest = ((modifiedMicroseconds % MICROSECONDS) + MICROSECONDS) % MICROSECONDS
  return (modifiedMicroseconds - rest) / MICROSECONDS
}

const runsText = ({ runs }: TreeNode): string =>
  runs.map(({ first, bytes }) => `${bytes} bytes from sector ${first}`).join(' and ')

/** The places of everything below a node. */
function contentKey(node: TreeNode): string {
  if (node.kind !== 'folder') return runsText(node)
  const parts = node.children.filter(({ kind }) => kind !== 'link').map((child) => contentKey(child))
  return `(${parts.toSorted().join(', ')})`
}

/** True for a name that UDF holds as it is. */
export function fitsUdf(name: string): boolean {
  if (/\p{Surrogate}/u.test(name) || /[\ufeff\ufffe]/.test(name)) return false
  return isLatin1(name) ? name.length <= LATIN_NAME : name.length <= WIDE_NAME
}
