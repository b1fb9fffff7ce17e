import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { isRepository } from '../../src/engine/sets/unpack/unpack'
import { indexTsv } from '../../src/engine/sets/volume/lists/indexTsv'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { pathToBytes } from '../../src/primitives/pathText'
import { requestFor } from './buildSource'
import { builtFrom } from './builtOption'

const CONTAINER = 'packed files'
const at = (path: string): Buffer => Buffer.from(pathToBytes(path))
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

interface Facts {
  readonly mode: number
  readonly mtimeNs: string
}

function factsOf(source: string): Facts {
  const stats = lstatSync(at(source), { bigint: true })
  return { mode: Number(stats.mode) & 0o7777, mtimeNs: String(stats.mtimeNs) }
}

interface PackedSet {
  /** Folders as copied from discs, in their order. */
  readonly volumes: readonly string[]
}

/**
 * A set of one container on folder volumes, as a person copies them from discs: made by the real builder, listed by the real index.
 * @param inside an empty folder of the test's own
 * @param cutAfter cuts the container into parts of so many bytes, each on a volume of its own
 * @param password of a 7z container that replaces the builder's, and of the index
 */
export async function packedSet(
  method: string,
  source: string,
  inside: string,
  { cutAfter, password }: { readonly cutAfter?: number; readonly password?: string } = {},
): Promise<PackedSet> {
  mkdirSync(inside)
  const request = { ...requestFor([source], inside, method), isKept: true }
  const { files, folders = [], symlinks = [] } = request
  await builtFrom(request)
  if (password !== undefined) await encryptAgain(request.path, password)
  const firstNames = new Map<string, string>()
  const sourceEntries: PlanEntry[] = []
  for (const folder of folders) sourceEntries.push({ kind: 'folder', ...folder, ...factsOf(folder.source) })
  for (const link of symlinks)
    sourceEntries.push({ kind: 'symlink', ...link, mtimeNs: factsOf(link.source).mtimeNs })
  for (const file of files) sourceEntries.push(fileEntry(file, firstNames))
  const packing = isRepository(method)
    ? [repositoryEntries(request.path, method)]
    : cutAfter === undefined
      ? [[containerEntry(request.path, method)]]
      : partEntries(request.path, method, cutAfter)
  const lists = packing.map((entries, number) => ({
    index: number + 1,
    label: `PACKED_0${number + 1}`,
    entries: [...entries, ...(number === 0 ? sourceEntries : [])],
  }))
  const visible =
    password === undefined
      ? lists
      : lists.map(({ index, label, entries }) => ({
          index,
          label,
          entries: entries.filter((entry) => 'method' in entry),
        }))
  const volumes = lists.map(({ index, label }, number) => {
    const volume = join(inside, label)
    mkdirSync(join(volume, 'STOWAGE'), { recursive: true })
    const text = [...indexTsv(visible)].join('')
    writeFileSync(join(volume, 'STOWAGE/INDEX.tsv'), text)
    writeFileSync(
      join(volume, 'STOWAGE/SHA256SUMS'),
      sha256Line(sha256(Buffer.from(text)), 'STOWAGE/INDEX.tsv'),
    )
    writeFileSync(
      join(volume, 'STOWAGE/README.txt'),
      `This is volume ${index} of ${lists.length}, ${label}, of an archive planned\n`,
    )
    for (const entry of packing[number] ?? []) {
      if (entry.kind === 'part')
        writeFileSync(
          join(volume, entry.path),
          readFileSync(request.path).subarray(entry.offset, entry.offset + entry.bytes),
        )
      else cpSync(request.path, join(volume, CONTAINER), { recursive: true })
    }
    return volume
  })
  if (password !== undefined) {
    const text = join(inside, 'INDEX.tsv')
    writeFileSync(text, [...indexTsv(lists)].join(''))
    const { path } = await requireTool(sevenZip)
    for (const volume of volumes)
      execFileSync(path, ['a', `-p${password}`, '-mhe=on', join(volume, 'STOWAGE/INDEX.7z'), text])
  }
  return { volumes }
}

function fileEntry(
  { source, path }: { source: string; path: string },
  firstNames: Map<string, string>,
): PlanEntry {
  const stats = lstatSync(at(source), { bigint: true })
  const linkOf = stats.nlink > 1n ? firstNames.get(String(stats.ino)) : undefined
  if (linkOf === undefined) firstNames.set(String(stats.ino), path)
  return {
    kind: 'file',
    path,
    source,
    bytes: Number(stats.size),
    sha256: sha256(readFileSync(at(source))),
    ...factsOf(source),
    ...(linkOf === undefined ? {} : { linkOf }),
    ...(stats.blocks * 512n < stats.size ? { holes: true } : {}),
    in: CONTAINER,
  }
}

function containerEntry(path: string, method: string): PlanEntry {
  return {
    kind: 'file',
    path: CONTAINER,
    source: path,
    bytes: statSync(path).size,
    sha256: sha256(readFileSync(path)),
    method,
  }
}

function partEntries(path: string, method: string, cutAfter: number): PlanEntry[][] {
  const whole = readFileSync(path)
  const parts = Math.ceil(whole.length / cutAfter)
  return Array.from({ length: parts }, (_, number) => {
    const offset = number * cutAfter
    const content = whole.subarray(offset, offset + cutAfter)
    const facts = {
      offset,
      part: number + 1,
      parts,
      wholePath: CONTAINER,
      wholeBytes: whole.length,
      wholeSha256: sha256(whole),
    }
    return [
      {
        kind: 'part' as const,
        path: `${CONTAINER}.00${number + 1}`,
        source: path,
        bytes: content.length,
        sha256: sha256(content),
        ...facts,
        method,
      },
    ]
  })
}

function repositoryEntries(path: string, method: string): PlanEntry[] {
  const entries: PlanEntry[] = [{ kind: 'folder', path: CONTAINER, source: path, method }]
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    const own = { path: `${CONTAINER}/${name}`, source: join(path, name), method }
    const stats = statSync(own.source)
    if (stats.isDirectory()) entries.push({ kind: 'folder', ...own })
    else entries.push({ kind: 'file', ...own, bytes: stats.size, sha256: sha256(readFileSync(own.source)) })
  }
  return entries
}

async function encryptAgain(archive: string, password: string): Promise<void> {
  const { path } = await requireTool(sevenZip)
  const plain = `${archive}-plain`
  execFileSync(path, ['x', '-bso0', `-o${plain}`, archive])
  rmSync(archive)
  execFileSync(path, ['a', '-t7z', '-bso0', `-p${password}`, '-mhe=on', archive, '.'], { cwd: plain })
}
