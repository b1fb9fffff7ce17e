import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { escapeTsv } from '../../src/engine/sets/volume/lists/indexTsv'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { shellQuote } from '../../src/engine/tools/shellQuote'
import { pathFromBytes, pathToBytes } from '../../src/primitives/pathText'
import { seededRandom } from '../../src/primitives/seededRandom'
import { HOSTILE_NAMES } from '../fixtures/hostileTree'
import {
  addStowageFolders,
  bytesAt,
  OWN_FOLDER,
  runScript,
  sha256,
  type VolumeFolder,
} from '../support/volumeFolders'

const folder = mkdtempSync(join(tmpdir(), 'stowage-quoting-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The hostile names and two hundred random ones of any bytes but `/` and 0. */
const names = [...HOSTILE_NAMES]
beforeAll(() => {
  const random = seededRandom(99)
  const awkward = Buffer.from('\n\t\r\\"\'$`%=-;# \x7f\x1b\xff\x80\xc3', 'latin1')
  for (let count = 0; count < 200; count++) {
    const bytes = Array.from({ length: 1 + random.below(40) }, () =>
      random.below(2) === 0 ? (awkward[random.below(awkward.length)] as number) : 1 + random.below(255),
    ).map((byte) => (byte === 0x2f ? 0x5f : byte))
    const name = Buffer.from(bytes)
    const isTaken = names.some((known) => known.equals(name))
    if (!isTaken && !['.', '..'].includes(name.toString('latin1'))) names.push(name)
  }
})

describe('names with any bytes', () => {
  test('reach a program unchanged through a script for sh', () => {
    const script = names.map((name) => `printf '%s\\0' ${shellQuote(pathFromBytes(name))}\n`).join('')
    const file = join(folder, 'script.sh')
    writeFileSync(file, pathToBytes(script))
    const expected = Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])]))
    expect(execFileSync('sh', [file]).equals(expected)).toBe(true)
  })

  test('are found by sha256sum from our checksum lists', () => {
    const place = join(folder, 'sums')
    mkdirSync(place)
    let sums = ''
    for (const name of names) {
      writeFileSync(Buffer.concat([Buffer.from(`${place}/`), name]), name)
      sums += sha256Line(createHash('sha256').update(name).digest('hex'), pathFromBytes(name))
    }
    writeFileSync(join(folder, 'SHA256SUMS'), pathToBytes(sums))
    const check = ['--quiet', '--strict', '-c', join(folder, 'SHA256SUMS')]
    expect(execFileSync('sha256sum', check, { cwd: place, encoding: 'latin1' })).toBe('')
    const listed = execFileSync('sh', ['-c', 'sha256sum -- * .[!.]* | sort'], {
      cwd: place,
      encoding: 'latin1',
    })
    const ours = execFileSync('sort', [join(folder, 'SHA256SUMS')], { encoding: 'latin1' })
    expect(ours.split('\n').toSorted()).toEqual(listed.split('\n').toSorted())
  })

  test.each(['-', '--', '-c', '--version', '-\n', '\\-'])(
    'are checked by sha256sum when a file is %j',
    (name) => {
      const place = mkdtempSync(join(folder, 'dash-'))
      writeFileSync(join(place, name), 'content')
      writeFileSync(
        join(place, 'SUMS'),
        sha256Line(createHash('sha256').update('content').digest('hex'), name),
      )
      const check = ['--strict', '-c', 'SUMS']
      expect(
        execFileSync('sha256sum', check, { cwd: place, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }),
      ).toMatch(/: OK\n$/)
    },
  )

  test('can be read back from the index, where each takes one field of one line', () => {
    for (const name of names) {
      const field = escapeTsv(pathFromBytes(name))
      expect(field).not.toMatch(/[\t\n\r]/)
      expect(unescapeTsv(field).equals(name)).toBe(true)
    }
  })

  const restoredBy = (shells: readonly ('dash' | 'bash' | 'busybox')[]) => () => {
    const discs = mkdtempSync(join(folder, 'volumes-'))
    const target = join(discs, 'restored')
    const volumes: VolumeFolder[] = [
      { path: join(discs, '-volume 1\n'), entries: [] },
      { path: join(discs, "volume '2'"), entries: [] },
    ]
    for (const { path } of volumes) mkdirSync(path)
    const put = (at: number, path: string, name: Buffer, entry: Record<string, unknown>): void => {
      const { path: volume, entries } = volumes[at] as VolumeFolder
      writeFileSync(bytesAt(volume, path), name)
      const own = { path, source: '/', bytes: name.length, sha256: sha256(name) }
      entries.push({ ...own, ...entry } as PlanEntry)
    }
    const short = names.filter(
      ({ length }, at) => length < 240 && (at < HOSTILE_NAMES.length || at % 4 === 0),
    )
    for (const name of short) {
      const path = pathFromBytes(name)
      put(0, path, name, { kind: 'file' })
      const wholePath = `${path}-cut`
      const whole = {
        wholePath,
        wholeBytes: 2 * name.length,
        wholeSha256: sha256(Buffer.concat([name, name])),
      }
      for (const at of [0, 1]) {
        const part = { offset: at * name.length, part: at + 1, parts: 2 }
        put(at, `${wholePath}.00${at + 1}`, name, { kind: 'part', ...part, ...whole })
      }
    }
    addStowageFolders(volumes)
    const script = join(volumes[0]?.path ?? '', OWN_FOLDER, 'RESTORE.sh')
    const words = volumes.map(({ path }) => path)
    for (const shell of shells) {
      const command = shell === 'busybox' ? (['busybox', 'sh'] as const) : ([shell] as const)
      const { status, errors } = runScript({ command }, script, { words: [target, ...words] })
      expect([shell, errors, status]).toEqual([shell, '', 0])
      const restored = readdirSync(target, { encoding: 'buffer' }).map((name) => name.toString('latin1'))
      const expected = short.flatMap((name) => [name.toString('latin1'), `${name.toString('latin1')}-cut`])
      expect(restored.toSorted()).toEqual(expected.toSorted())
      rmSync(target, { recursive: true })
    }
  }

  const restored = 'are restored by RESTORE.sh from plain files and from parts'
  test(restored, restoredBy(['dash']))
  test(`${restored}, in other shells`, { tags: 'long' }, restoredBy(['bash', 'busybox']))
})

/** What the index's own head says, done by hand. */
function unescapeTsv(field: string): Buffer {
  const bytes: number[] = []
  const source = Buffer.from(pathToBytes(field)).toString('latin1')
  for (let at = 0; at < source.length; at++) {
    if (source[at] !== '\\') {
      bytes.push(source.charCodeAt(at))
      continue
    }
    at += 1
    const code = source[at] as string
    if (code === 'x') {
      bytes.push(Number.parseInt(source.slice(at + 1, at + 3), 16))
      at += 2
    } else bytes.push({ '\\': 0x5c, t: 9, n: 10, r: 13 }[code] as number)
  }
  return Buffer.from(bytes)
}
