import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { stowage } from '../fixtures/stowageCommand'
import { runRestore } from '../support/restoreRun'
import {
  addStowageFolders,
  entriesBelow,
  OWN_FOLDER,
  runScript,
  type VolumeFolder,
} from '../support/volumeFolders'

let folder: string
let source: string
let to: string
let volumes: string[]

/** Two volumes with three files each; the first has a link too. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-lists-'))
  source = join(folder, 'source')
  to = join(folder, 'restored')
  mkdirSync(source)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    writeFileSync(join(source, name), `the content of ${name}`)
    chmodSync(join(source, name), 0o640)
    utimesSync(join(source, name), 1_500_000_000, 1_500_000_000)
  }
  symlinkSync('b', join(source, 'to b'))
  const all: VolumeFolder[] = ['1', '2'].map((name) => ({
    path: join(folder, name),
    entries: [] as PlanEntry[],
  }))
  for (const [at, entry] of entriesBelow(source).entries()) {
    const { path, entries } = all[at < 3 || entry.kind === 'symlink' ? 0 : 1] as VolumeFolder
    entries.push(entry)
    mkdirSync(path, { recursive: true })
    if (entry.kind === 'file') writeFileSync(join(path, entry.path), readFileSync(join(source, entry.path)))
  }
  addStowageFolders(all)
  volumes = all.map(({ path }) => path)
  // As on a real volume the checksums have its own files too.
  for (const { path, entries } of all)
    for (const entry of entries)
      if (entry.kind === 'file')
        writeFileSync(list(path, 'SHA256SUMS'), `${entry.sha256}  ${entry.path}\n`, { flag: 'a' })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const list = (volume: string, name: string): string => join(volume, OWN_FOLDER, name)

/** Edits the index of a volume, and its checksums with it where whoever does so knows how. */
function edit(volume: string, change: (text: string) => string, withSums = false): void {
  const path = list(volume, 'INDEX.tsv')
  const before = readFileSync(path)
  const after = change(before.toString('latin1'))
  writeFileSync(path, after, 'latin1')
  if (!withSums) return
  const sums = readFileSync(list(volume, 'SHA256SUMS'), 'latin1')
  const digest = hash('sha256', Buffer.from(after, 'latin1'))
  writeFileSync(list(volume, 'SHA256SUMS'), sums.replace(hash('sha256', before), digest), 'latin1')
}

/** Restores by the command, and by the script that lies on the first volume. */
const WAYS = [
  [
    'restore',
    async (given: readonly string[], more: readonly string[] = []) => {
      const { code, stdout, stderr } = await stowage(['restore', ...given, '--to', to, ...more], {
        home: join(folder, 'home'),
      })
      return { code, text: stdout + stderr }
    },
  ],
  [
    'RESTORE.sh',
    async (given: readonly string[], more: readonly string[] = []) => {
      const script = list(given[0] ?? '', 'RESTORE.sh')
      const { status, output, errors } = runScript({ command: ['sh'] }, script, {
        words: [...more, to, ...given],
      })
      return { code: status, text: output + errors }
    },
  ],
] as const

const names = (): string[] => (existsSync(to) ? readdirSync(to).toSorted() : [])
const isRight = (name: string): boolean => readFileSync(join(to, name), 'utf8') === `the content of ${name}`

describe.each(WAYS)('%s', (_, restore) => {
  test('restores the contents of a volume whose index lost lines, and does not call that all', async () => {
    const [volume = ''] = volumes
    edit(volume, (text) => text.split('\n').slice(0, 4).join('\n'))
    const { code, text } = await restore([volume])
    expect(code).toBe(6)
    expect(text).toContain('does not match')
    expect(text).not.toMatch(/^All /m)
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(names().every(isRight)).toBe(true)
  })

  test('does not put back permissions, times and links of an edited index', async () => {
    const [volume = ''] = volumes
    edit(volume, (text) =>
      text.replaceAll('\t640\t', '\t777\t').replaceAll('\t1500000000000000000\t', '\t1\t'),
    )
    expect((await restore([volume])).code).toBe(6)
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(statSync(join(to, 'a')).mode & 0o111).toBe(0)
    expect(statSync(join(to, 'a')).mtimeMs).toBeGreaterThan(1_600_000_000_000)
  })

  test('uses the index of another volume where one is damaged, and names the damaged one', async () => {
    const [first = '', second = ''] = volumes
    edit(first, (text) => text.replace('\tfile\t', '\tfi\0e\t'))
    const { code, text } = await restore([first, second])
    expect(code).toBe(6)
    expect(text).toContain(first)
    expect(text).toContain('it is damaged'.slice(3))
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'to b'])
    expect(statSync(join(to, 'f')).mtimeMs).toBe(1_500_000_000_000)
    expect(statSync(join(to, 'f')).mode & 0o777).toBe(0o640)
  })

  test('writes nothing outside of the target, and runs nothing, whatever a made-up index says', async () => {
    const [volume = ''] = volumes
    const row = (text: string): string => text.split('\n').find((line) => line.includes('\ta\t')) ?? ''
    const digest = hash('sha256', 'the content of a')
    edit(
      volume,
      (text) => {
        const own = row(text)
        const evil = ['../x', 'sub/../../x', '/x', 'sub/./y', '\\x2e\\x2e/x', 'sub//y'].map((path) =>
          own.replace('\ta\t', `\t${path}\t`),
        )
        const run = own.replace(digest, `$(touch ${join(folder, 'ran')})`).replace('\ta\t', '\tg\t')
        return `${text}${[...evil, run, run.replace('\tg\t', `\t$(touch ${join(folder, 'ran')})\t`)].join('\n')}\n`
      },
      true,
    )
    const { code, text } = await restore([volume])
    expect(code).toBe(6)
    expect(text).toMatch(/line/)
    expect(existsSync(join(folder, 'x'))).toBe(false)
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    expect(names()).toEqual(['a', 'b', 'c', 'to b'])
  })

  test('puts setuid and setgid of files back only for who trusts the volume', async () => {
    const [volume = ''] = volumes
    edit(volume, (text) => text.replace(/^(.*\ta\t)640/m, '$16755'), true)
    const first = await restore([volume], ['--trust'].slice(1))
    // The other volume is still needed as well.
    expect(first.code).toBe(3)
    expect(first.text).toContain('--trust')
    expect(statSync(join(to, 'a')).mode & 0o7777).toBe(0o755)
    const trusted = await restore([volume], ['--trust'])
    expect(trusted.text).not.toContain('--trust')
    expect(statSync(join(to, 'a')).mode & 0o7777).toBe(0o6755)
  })
})

test('a volume whose lists are gone is a source of contents for those that are whole', async () => {
  const [first = '', second = ''] = volumes
  for (const name of ['INDEX.tsv', 'SHA256SUMS', 'README.txt'])
    writeFileSync(list(first, name), Buffer.alloc(200, 1))
  const { document, error } = await runRestore({ volumes: [second], to })
  expect(error).toBeNull()
  expect(document.volumesNeeded).toMatchObject([{ index: 1, files: 3 }])
  await expect(runRestore({ volumes: [first], to })).rejects.toMatchObject({ code: 'bad-input' })
})

test('a right of a program is listed by its file', async () => {
  const [volume = ''] = volumes
  edit(volume, (text) => text.replace(/^(.*\ta\t)640/m, '$14711'), true)
  const { document } = await runRestore({ volumes: [volume], to, files: ['a'] })
  expect(document).toMatchObject({ untrusted: 1, notPutBack: [{ path: 'a', fact: 'setuid' }] })
})

test('volumes are restored and verified without a catalog that can be read', async () => {
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'catalog.db'), 'this is no database, however long it may be\n'.repeat(300))
  for (const args of [
    ['restore', ...volumes, '--to', to],
    ['verify', ...volumes],
  ]) {
    const { code, stderr } = await stowage(args, { home })
    expect(stderr).toContain('going on without it')
    expect(code).toBe(0)
  }
  expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'to b'])
})

test.each([
  ['lines', (text: string) => text.replace(/^.{9}/, 'not a sum'), 'its lines are damaged'],
  [
    'a digest',
    (text: string) => text.replace(/^[0-9a-f]{64}(?= {2}b$)/m, 'e'.repeat(64)),
    'it has other digests than INDEX.tsv',
  ],
])(
  'verify names checksums of which %s is damaged, though every file is right',
  async (_, change, because) => {
    const [volume = ''] = volumes
    const path = list(volume, 'SHA256SUMS')
    writeFileSync(path, change(readFileSync(path, 'latin1')), 'latin1')
    const { code, stdout, stderr } = await stowage(['verify', ...volumes], { home: join(folder, 'home') })
    expect(code, stdout).toBe(6)
    expect(stderr).toContain(`SHA256SUMS: ${because}`)
  },
)
