import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesOf } from '../../support/referenceSampler'

/** What one repository made of a set. */
export interface Stored {
  /** What the tool itself reports as added after deduplication. */
  readonly reportedBytes: number
  /** Of that only the files' contents: without lists of files, chunk headers and encryption. */
  readonly dataBytes: number
}

type Backup = (folder: string, scratch: string) => Stored

const OPTIONS: { encoding: 'utf8'; maxBuffer: number; stdio: ('ignore' | 'pipe')[] } = {
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
  stdio: ['ignore', 'pipe', 'pipe'],
}

/** Each call makes a repository of its own, whose secret decides where chunks end. Nothing is compressed. */
export const BACKUPS: Readonly<Record<string, Backup>> = { 'borg-1': borg, restic }

/**
 * borg 1: `-e authenticated` has a random chunker seed (`none` would have always the same). The archive's items list
 * every chunk with its length; the rest of what is reported is the list itself.
 */
function borg(folder: string, scratch: string): Stored {
  const env = {
    ...process.env,
    BORG_BASE_DIR: join(scratch, 'home'),
    BORG_PASSPHRASE: 'truth',
    BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  }
  const repository = join(scratch, 'repository')
  const archive = `${repository}::a`
  const run = (args: string[]): string => execFileSync('borg', args, { ...OPTIONS, env, cwd: folder })
  run(['init', '-e', 'authenticated', repository])
  const { archive: made } = JSON.parse(run(['create', '-C', 'none', '--stats', '--json', archive, '.'])) as {
    archive: { stats: { deduplicated_size: number } }
  }
  const dump = join(scratch, 'items.json')
  run(['debug', 'dump-archive', archive, dump])
  const chunks = new Map<string, number>()
  const { _items: items } = JSON.parse(readFileSync(dump, 'utf8')) as {
    _items: { chunks?: [id: string, size: number][] }[]
  }
  for (const item of items) for (const [id, size] of item.chunks ?? []) chunks.set(id, size)
  return { reportedBytes: made.stats.deduplicated_size, dataBytes: sum(chunks.values()) }
}

/** Of encryption and authentication of each blob. */
const RESTIC_BLOB_OVERHEAD = 32

/** restic: the polynomial is drawn when a repository is made. The index lists every blob with its kind and length. */
function restic(folder: string, scratch: string): Stored {
  const env = { ...process.env, RESTIC_PASSWORD: 'truth', RESTIC_CACHE_DIR: join(scratch, 'cache') }
  const repository = ['-r', join(scratch, 'repository')]
  const run = (args: string[]): string =>
    execFileSync('restic', [...repository, ...args], { ...OPTIONS, env, cwd: folder })
  run(['init', '-q'])
  const summary = run(['backup', '--json', '--compression', 'off', '.'])
    .split('\n')
    .filter((line) => line.includes('"summary"'))
    .map((line) => JSON.parse(line) as { data_added: number })[0]
  let dataBytes = 0
  for (const { path } of filesOf(join(scratch, 'repository/index'))) {
    const index = JSON.parse(run(['cat', 'index', path.slice(path.lastIndexOf('/') + 1)])) as {
      packs: { blobs: { type: string; length: number }[] }[]
    }
    for (const pack of index.packs)
      for (const blob of pack.blobs) if (blob.type === 'data') dataBytes += blob.length - RESTIC_BLOB_OVERHEAD
  }
  if (!summary) throw new Error('restic gave no summary')
  return { reportedBytes: summary.data_added, dataBytes }
}

/** What `count` repositories of a tool made of a folder; what was found before is taken from `cache`. */
export function repositoriesOf(tool: string, folder: string, count: number, cache: string): Stored[] {
  const known: Stored[] = existsSync(cache) ? (JSON.parse(readFileSync(cache, 'utf8')) as Stored[]) : []
  const backup = BACKUPS[tool] as Backup
  while (known.length < count) {
    const scratch = mkdtempSync(join(tmpdir(), 'stowage-truth-'))
    try {
      mkdirSync(join(scratch, 'home'))
      known.push(backup(folder, scratch))
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
    writeFileSync(cache, JSON.stringify(known))
  }
  return known.slice(0, count)
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
