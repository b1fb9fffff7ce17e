import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

let folder: string

const sourceWith = (name: string): string => join(folder, name)
const run = (...args: string[]) => stowage(args, { home: join(folder, 'home') })

/** Text that packs well next to a film that does not, or next to a log that does; both are larger than a volume. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-large-'))
  const film = new Uint8Array(3_000_000)
  seededRandom(6).fillBytes(film)
  const lines = (from: number, count: number): string =>
    Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join('')
  for (const [name, content] of [
    ['film', film],
    ['log', lines(0, 400_000)],
  ] as const) {
    mkdirSync(sourceWith(name))
    writeFileSync(join(sourceWith(name), name), content)
    for (let at = 0; at < 20; at++) writeFileSync(join(sourceWith(name), `text ${at}`), lines(at, 30_000))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(['squashfs-zstd-3-1m', 'tar-zst-19-1m-path', '7z-files'])(
  'a file that fits no volume of %s is refused when it is planned, however well the rest packs',
  async (option) => {
    const out = join(folder, `film ${option}`)
    const end = await run(
      'plan',
      sourceWith('film'),
      '--option',
      option,
      '--medium',
      'custom:2MB',
      '--out',
      out,
    )
    const refusal = expect.stringContaining('cannot plan film: even packed it may be larger than a volume')
    expect([end.code, end.stderr]).toEqual([4, refusal])
  },
)

test('a file that is larger than a volume and packs into one is planned and built', async () => {
  const out = join(folder, 'log plan')
  const option = ['--option', 'squashfs-zstd-3-1m', '--medium', 'custom:3MB']
  expect((await run('plan', sourceWith('log'), ...option, '--out', out)).code).toBe(0)
  expect((await run('build', out)).code).toBe(0)
  expect((await run('verify', out)).code).toBe(0)
})
