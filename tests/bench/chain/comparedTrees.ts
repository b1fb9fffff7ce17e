import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'

/** What a name of a tree is, as far as restoring must bring it back. */
interface Facts {
  readonly kind: string
  readonly mode: number
  readonly mtimeNs: bigint
  readonly bytes: bigint
  readonly sha256: string
  readonly target: string
  /** The names of the same file, so that a link that became a copy shows. */
  readonly identity: string
  readonly hasHoles: boolean
  readonly owner: string
  /** Extended attributes and access control lists, each with its value in hex. */
  readonly attributes: string
}

const SEPARATOR = Buffer.from('/')
/** File systems allocate in these; a file with more of them missing than its last has holes. */
const HOLE_BYTES = 4096n

/**
 * Compares two trees by a walk of its own: names byte for byte, kinds, contents, modes, times in nanoseconds, targets, which names
 * are one file, holes, extended attributes and access control lists, and as root owners. Linux, with python3, which can read attributes.
 * @returns the differences, none when the trees are equal
 */
export function differencesOf(source: string, restored: string): string[] {
  const [one, other] = [factsBelow(source), factsBelow(restored)]
  const found: string[] = []
  for (const [name, wanted] of one) {
    const is = other.get(name)
    const shown = JSON.stringify(name)
    if (!is) {
      found.push(`${shown} is missing`)
      continue
    }
    for (const fact of ['kind', 'bytes', 'sha256', 'target', 'mtimeNs'] as const) {
      if (wanted[fact] !== is[fact]) found.push(`${shown}: ${fact} is ${is[fact]}, was ${wanted[fact]}`)
    }
    if (wanted.kind !== 'link' && wanted.mode !== is.mode)
      found.push(`${shown}: mode is ${is.mode.toString(8)}, was ${wanted.mode.toString(8)}`)
    if (process.getuid?.() === 0 && wanted.owner !== is.owner)
      found.push(`${shown}: its owner is ${is.owner}, was ${wanted.owner}`)
    if (wanted.attributes !== is.attributes)
      found.push(
        `${shown}: its attributes are ${is.attributes || 'none'}, were ${wanted.attributes || 'none'}`,
      )
    if (wanted.hasHoles && !is.hasHoles) found.push(`${shown} has no holes any more`)
  }
  for (const name of other.keys()) if (!one.has(name)) found.push(`${JSON.stringify(name)} is new`)
  for (const [name, group] of linksOf(one)) {
    if (linksOf(other).get(name) !== group) found.push(`${JSON.stringify(name)} has other further names`)
  }
  return found
}

/** For every name of a file with several, all of them. */
function linksOf(facts: ReadonlyMap<string, Facts>): Map<string, string> {
  const names = new Map<string, string[]>()
  for (const [name, { kind, identity }] of facts) {
    if (kind === 'file') names.set(identity, [...(names.get(identity) ?? []), name])
  }
  const groups = [...names.values()].filter((group) => group.length > 1)
  return new Map(groups.flatMap((group) => group.map((name) => [name, group.toSorted().join('\n')])))
}

function factsBelow(root: string): Map<string, Facts> {
  const all = new Map<string, Facts>()
  const attributes = attributesBelow(root)
  const look = (folder: Buffer, below: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const path = Buffer.concat([folder, SEPARATOR, name])
      const shown = below + name.toString('latin1')
      const stats = lstatSync(path, { bigint: true })
      const kind = stats.isDirectory()
        ? 'folder'
        : stats.isSymbolicLink()
          ? 'link'
          : stats.isFile()
            ? 'file'
            : 'other'
      if (kind === 'other') continue
      const isFile = kind === 'file'
      all.set(shown, {
        kind,
        mode: Number(stats.mode & 0o7777n),
        mtimeNs: stats.mtimeNs,
        bytes: isFile ? stats.size : 0n,
        sha256: isFile ? digestOf(path) : '',
        target: kind === 'link' ? readlinkSync(path, { encoding: 'buffer' }).toString('latin1') : '',
        identity: `${stats.dev}:${stats.ino}`,
        hasHoles: isFile && stats.blocks * 512n + HOLE_BYTES <= stats.size,
        owner: `${stats.uid}:${stats.gid}`,
        attributes: attributes[shown] ?? '',
      })
      if (kind === 'folder') look(path, `${shown}/`)
    }
  }
  look(Buffer.from(root), '')
  return all
}

const ATTRIBUTES = `
import json, os, sys
root = os.fsencode(sys.argv[1])
found = {}
for folder, folders, files in os.walk(root):
    for name in folders + files:
        path = os.path.join(folder, name)
        try:
            names = sorted(os.fsencode(each) for each in os.listxattr(path, follow_symlinks=False))
        except OSError:
            continue
        said = ' '.join('%s=%s' % (each.decode('latin1'), os.getxattr(path, each, follow_symlinks=False).hex())
            for each in names if each.startswith((b'user.', b'system.posix_acl_')))
        if said: found[os.path.relpath(path, root).decode('latin1')] = said
json.dump(found, sys.stdout)
`

/** By path, as the names are shown. */
function attributesBelow(root: string): Record<string, string> {
  const most = { encoding: 'utf8', maxBuffer: 1 << 30 } as const
  return JSON.parse(execFileSync('python3', ['-c', ATTRIBUTES, root], most)) as Record<string, string>
}

function digestOf(path: Buffer): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1 << 20)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
