import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('pipe')
const COMMAND = `'${process.execPath}' '${resolve('dist/cli/stowage.cjs')}' pipe`
const SOURCE = join(folder.path, 'source')
const BYTES = 9_876_543

beforeAll(() => {
  const content = Buffer.alloc(BYTES)
  seededRandom(11).fillBytes(content)
  writeFileSync(SOURCE, content)
})
afterAll(() => folder.dispose())

/** Runs a line of shell as people type it; `$PIPE` is the command. The result of a pipeline is that of `stowage pipe`. */
function shell(line: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line.replaceAll('$PIPE', COMMAND)], {
    cwd: folder.path,
    env: { ...process.env, STOWAGE_HOME: join(folder.path, 'home') },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

test.each([
  ['a pipe into a pipe', 'cat source | $PIPE --buffer 100001 | cat > out'],
  ['a file into a file', '$PIPE --buffer 64KiB < source > out'],
  [
    'through tools that take and give other pieces',
    'dd if=source bs=777 2>/dev/null | $PIPE | dd of=out bs=13k 2>/dev/null',
  ],
  [
    'a filled buffer that pauses when it runs low',
    'cat source | $PIPE --buffer 1MB --start 90% --low 30% | cat > out',
  ],
  ['through another one', 'cat source | $PIPE --buffer 70000 | $PIPE --buffer 5MB > out'],
])('passes every byte: %s', (_name, line) => {
  const { status, stderr } = shell(`set -o pipefail; ${line}`)
  expect(status, stderr).toBe(0)
  expect(digest(join(folder.path, 'out'))).toBe(digest(SOURCE))
  expect(stderr).toContain('Passed 9.88 MB in ')
})

test('keeps to a rate, and saves what each side waited for and how full the buffer was', () => {
  const { status, stderr } = shell(
    'cat source | $PIPE --rate 8MB/s --buffer 2MiB --stats s.json --quiet > out',
  )
  expect(status, stderr).toBe(0)
  expect(stderr).toBe('')
  const stats = JSON.parse(readFileSync(join(folder.path, 's.json'), 'utf8'))
  expect(stats).toMatchObject({
    schema: 'stowage.pipe/1',
    end: 'done',
    bufferBytes: 2 * 1024 * 1024,
    bytesPerSecond: 8_000_000,
    bytesIn: BYTES,
    bytesOut: BYTES,
  })
  expect(stats.seconds).toBeGreaterThan((BYTES / 8_000_000) * 0.99)
  expect(stats.mostFilledBytes).toBe(2 * 1024 * 1024)
  // The input had to wait for nearly all of the time that the output took.
  expect(stats.input.waitedSeconds).toBeGreaterThan(0.3)
  expect(stats.fill.length).toBeGreaterThan(3)
  for (const { bytesIn, bytesOut, filledBytes } of stats.fill) expect(filledBytes).toBe(bytesIn - bytesOut)
})

test('writes as fast as a drive writes a disc: slower at its beginning', () => {
  const { status, stderr } = shell(
    'head -c 4MB source | $PIPE --medium dvd-r --speed 12x --stats d.json --quiet > out',
  )
  expect(status, stderr).toBe(0)
  const stats = JSON.parse(readFileSync(join(folder.path, 'd.json'), 'utf8'))
  expect(stats).toMatchObject({ medium: 'dvd-r', speed: 12, bytesPerSecond: null, bytesOut: 4_000_000 })
  // 24/58 of 12x at the inner edge: 6.9 MB/s. No more is certain on a busy machine.
  expect(stats.seconds).toBeGreaterThan(4e6 / 7.3e6)
})

test('ends with 141 and one line when the program after it has ended', () => {
  const { stdout, stderr } = shell(
    'cat /dev/zero | $PIPE --quiet | head -c 100000 | wc -c; echo ${PIPESTATUS[1]}',
  )
  expect(stdout.trim().split(/\s+/)).toEqual(['100000', '141'])
  expect(stderr).toMatch(
    /^stowage: the program that reads the output has ended; .* in the buffer were not written\n$/,
  )
})

test('says that the disk is full, and that the input cannot be read', () => {
  const small = join(folder.path, 'small')
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', small])
  try {
    const full = shell('$PIPE --quiet < source > small/out')
    expect(full.status).toBe(4)
    expect(full.stderr).toBe('stowage: cannot write the output: no space left on device\n')
  } finally {
    execFileSync('umount', [small])
  }
  const directory = shell('$PIPE --quiet < . > out')
  expect(directory.status).toBe(1)
  expect(directory.stderr).toMatch(/^stowage: cannot read the input: .*\n$/)
})

test('ends when it is interrupted, though neither side moves', async () => {
  const child = spawn(process.execPath, [resolve('dist/cli/stowage.cjs'), 'pipe', '--quiet'], {
    env: { ...process.env, STOWAGE_HOME: join(folder.path, 'home') },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.write('some bytes that are not the last')
  await new Promise((read) => child.stdout.once('data', read))
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise((end) => child.once('close', end))
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(said).toBe('stowage: pipe cancelled\n')
})

test.each([
  ['--buffer 1KiB', /^stowage: a buffer of 1KiB is too small: 64KiB or more/],
  ['--buffer 900TB', /larger than the memory/],
  ['--rate fast', /not a size: "fast"/],
  ['--low 50%', /^stowage: --low must not be above --start/],
  ['--start much', /^stowage: --start takes a share such as 10%, not "much"/],
  ['--medium folder:4GB', /--medium takes a disc such as dvd-r, not "folder:4GB"/],
  ['--medium dvd-r --speed fast', /--speed takes a speed such as 6, not "fast"/],
  ['--speed 6', /--speed needs --medium/],
  ['--medium dvd-r --rate 5MB/s', /give either --rate or --medium/],
  ['a file', /reads stdin and writes stdout/],
  ['--json', /use --stats FILE for JSON/],
])('refuses what it cannot do: %s', async (words, line) => {
  const given = ['pipe', '--quiet', ...words.split(' ')]
  const { code, stderr } = await stowage(given, { home: join(folder.path, 'home') })
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(line)
})

test('takes a share without its sign', () => {
  expect(shell('$PIPE --quiet --start 20 < /dev/null > out')).toMatchObject({ status: 0, stderr: '' })
})

test('replaces a file of statistics only with --force', () => {
  writeFileSync(join(folder.path, 'kept'), 'mine')
  const refused = shell('$PIPE --quiet --stats kept < source > untouched')
  expect(refused.status).toBe(2)
  expect(readFileSync(join(folder.path, 'kept'), 'utf8')).toBe('mine')
  expect(existsSync(join(folder.path, 'untouched'))).toBe(true)
  expect(readFileSync(join(folder.path, 'untouched'))).toHaveLength(0)
  expect(shell('$PIPE --quiet --stats kept --force < source > out').status).toBe(0)
  expect(JSON.parse(readFileSync(join(folder.path, 'kept'), 'utf8')).bytesOut).toBe(BYTES)
})
