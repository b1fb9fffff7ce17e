import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { indexTsv } from '../../src/engine/sets/volume/lists/indexTsv'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { pathFromBytes, pathToBytes } from '../../src/primitives/pathText'

const SCRIPTS = new URL('../../src/engine/sets/export/', import.meta.url)

/** Stowage's own folder on a volume: the hostile tree has a file of the usual name. */
export const OWN_FOLDER = 'STOWAGE-1'

/** A volume as a folder, with the entries that its index has of it. */
export interface VolumeFolder {
  readonly path: string
  readonly entries: PlanEntry[]
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A path of any bytes for the functions of Node. */
export const bytesAt = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(pathToBytes(root)), Buffer.from('/'), Buffer.from(pathToBytes(path))])

/** Everything below a folder as a plan lists it: what is above before what is in it, further names of files with their first. */
export function entriesBelow(root: string): PlanEntry[] {
  const entries: PlanEntry[] = []
  const firstNames = new Map<bigint, string>()
  const add = (folder: string): void => {
    const names = readdirSync(folder === '' ? Buffer.from(pathToBytes(root)) : bytesAt(root, folder), {
      encoding: 'buffer',
    })
    for (const name of names.toSorted((one, other) => Buffer.compare(one, other))) {
      const path = (folder === '' ? '' : `${folder}/`) + pathFromBytes(name)
      const at = bytesAt(root, path)
      const stats = lstatSync(at, { bigint: true })
      const own = { path, source: `${root}/${path}`, mtimeNs: String(stats.mtimeNs) }
      const mode = Number(stats.mode & 0o7777n)
      if (stats.isDirectory()) {
        entries.push({ kind: 'folder', ...own, mode })
        add(path)
      } else if (stats.isSymbolicLink()) {
        entries.push({ kind: 'symlink', ...own, target: pathFromBytes(readlinkSync(at, 'buffer')) })
      } else {
        const content = readFileSync(at)
        const linkOf = firstNames.get(stats.ino)
        firstNames.set(stats.ino, linkOf ?? path)
        const file = { kind: 'file' as const, ...own, mode, bytes: content.length, sha256: sha256(content) }
        entries.push(linkOf === undefined ? file : { ...file, linkOf })
      }
    }
  }
  add('')
  return entries
}

/** Writes Stowage's own folder into every volume: the index of all of them and the scripts. */
export function addStowageFolders(volumes: readonly VolumeFolder[]): void {
  const numbered = volumes.map(({ entries }, at) => ({ index: at + 1, label: `DISC_0${at + 1}`, entries }))
  for (const [at, { path }] of volumes.entries()) {
    const own = join(path, OWN_FOLDER)
    mkdirSync(own, { recursive: true })
    const index = pathToBytes([...indexTsv(numbered)].join(''))
    writeFileSync(join(own, 'INDEX.tsv'), index)
    const digest = createHash('sha256').update(index).digest('hex')
    writeFileSync(join(own, 'SHA256SUMS'), sha256Line(digest, `${OWN_FOLDER}/INDEX.tsv`))
    writeFileSync(join(own, 'README.txt'), `This is volume ${at + 1} of ${volumes.length}, DISC_0${at + 1}\n`)
    cpSync(new URL('restore.sh', SCRIPTS), join(own, 'RESTORE.sh'))
    cpSync(new URL('rejoin.sh', SCRIPTS), join(own, 'REJOIN.sh'))
  }
}

/** A shell, and the folders in which it looks for programs. */
export interface Shell {
  readonly command: readonly [program: string, ...args: string[]]
  readonly path?: string
}

/** Runs RESTORE.sh, or REJOIN.sh, as it lies on a volume. */
export function runScript(
  { command: [program, ...args], path }: Shell,
  script: string,
  more: { readonly words: readonly string[]; readonly input?: string; readonly cwd?: string },
): { status: number | null; output: string; errors: string } {
  const env = { ...process.env, ...(path === undefined ? {} : { PATH: path }) }
  const { words, ...options } = more
  const ended: SpawnSyncReturns<string> = spawnSync(program, [...args, script, ...words], {
    encoding: 'utf8',
    env,
    ...options,
  })
  if (ended.error) throw ended.error
  return { status: ended.status, output: ended.stdout, errors: ended.stderr }
}

/** What restoring has to bring back of a folder, by path; names of one file are shown by the first of them. */
export function factsBelow(root: string): Map<string, string> {
  return new Map(
    entriesBelow(root).map((entry) => {
      const { source: _, path, ...facts } = entry
      return [path, JSON.stringify(facts)]
    }),
  )
}
