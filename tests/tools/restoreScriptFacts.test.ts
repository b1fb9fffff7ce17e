import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../support/archiveRun'
import { addStowageFolders, entriesBelow, OWN_FOLDER, runScript, sha256 } from '../support/volumeFolders'

const folder = temporaryFolder('script-facts')
const volume = join(folder.path, 'volume')
const to = join(folder.path, 'restored')
afterAll(() => folder.dispose())

beforeEach(() => {
  for (const path of [volume, to]) rmSync(path, { recursive: true, force: true })
  mkdirSync(volume)
  writeFileSync(join(volume, 'a'), 'the content of a')
})

/** Lists what is on the volume now, with an index that is then edited. */
function list(edit: (index: string) => string = (index) => index): void {
  addStowageFolders([{ path: volume, entries: entriesBelow(volume) }])
  const index = edit(readFileSync(join(volume, OWN_FOLDER, 'INDEX.tsv'), 'latin1'))
  writeFileSync(join(volume, OWN_FOLDER, 'INDEX.tsv'), index, 'latin1')
  const digest = sha256(Buffer.from(index, 'latin1'))
  writeFileSync(join(volume, OWN_FOLDER, 'SHA256SUMS'), `${digest}  ${OWN_FOLDER}/INDEX.tsv\n`)
}

const restore = (...options: readonly string[]) =>
  runScript({ command: ['sh'] }, join(volume, OWN_FOLDER, 'RESTORE.sh'), { words: [...options, to, volume] })

test('a file that is there already gets its permissions and its time back', () => {
  chmodSync(join(volume, 'a'), 0o640)
  utimesSync(join(volume, 'a'), 1_500_000_000, 1_500_000_000)
  list()
  mkdirSync(to)
  cpSync(join(volume, 'a'), join(to, 'a'))
  chmodSync(join(to, 'a'), 0o600)
  utimesSync(join(to, 'a'), 1_600_000_000, 1_600_000_000)
  expect(restore().status).toBe(0)
  expect(statSync(join(to, 'a')).mode & 0o7777).toBe(0o640)
  expect(statSync(join(to, 'a')).mtimeMs).toBe(1_500_000_000_000)
})

test.each([
  ['2755', 0o755, 0o2755],
  ['4755', 0o755, 0o4755],
  ['1644', 0o1644, 0o1644],
])(
  'the mode %s comes back without rights of programs, but for who trusts the volume',
  (mode, plain, trusted) => {
    list((index) => index.replace(/^(.*\ta\t)\d+/m, `$1${mode}`))
    restore()
    expect(statSync(join(to, 'a')).mode & 0o7777).toBe(plain)
    rmSync(to, { recursive: true })
    restore('--trust')
    expect(statSync(join(to, 'a')).mode & 0o7777).toBe(trusted)
  },
)

test('a time before 1970 is rounded down where touch knows whole seconds', () => {
  const programs = join(folder.path, 'busybox')
  mkdirSync(programs)
  execFileSync('busybox', ['--install', '-s', programs])
  list((index) => index.replace(/^(.*\ta\t\d*\t)-?\d+/m, '$1-1500000000'))
  const script = join(volume, OWN_FOLDER, 'RESTORE.sh')
  const shell = { command: [join(programs, 'sh')], path: programs } as const
  expect(runScript(shell, script, { words: [to, volume] }).status).toBe(0)
  expect(statSync(join(to, 'a')).mtimeMs).toBe(-2000)
})

test('a file in a container that leads out of the volume is none', () => {
  writeFileSync(join(folder.path, 'outside'), 'the content of a')
  list((index) => {
    const columns =
      index
        .split('\n')
        .find((line) => line.startsWith('volume\t'))
        ?.split('\t') ?? []
    return index
      .split('\n')
      .map((line) => {
        const fields = line.split('\t')
        if (fields[columns.indexOf('path')] !== 'a') return line
        fields[columns.indexOf('in')] = '../outside'
        return fields.join('\t')
      })
      .join('\n')
  })
  const { status, errors } = restore()
  expect(status).not.toBe(0)
  expect(errors).toMatch(/line/)
  expect(errors).not.toContain('outside')
  expect(existsSync(join(to, 'a'))).toBe(false)
})
