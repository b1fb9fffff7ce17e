import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containerRows } from '../../src/domain/devices/containerRows'
import { stowage } from '../fixtures/stowageCommand'
import { measuringPlace } from '../support/measuringPlace'

const place = measuringPlace()

const STATES = ['fresh', 'rewritten', 'refilled'] as const
const EACH = [
  ['UDSB', null],
  ['UDSB', 256],
  ['UDSP', null],
  ['UDSP', 256],
  ['UDRW', null],
  ['UDRW', 256],
]

describe('stowage measure --in all', () => {
  it('measures every kind, plain and encrypted, new, rewritten and after most was deleted', async () => {
    const csv = join(place.folder, 'table.csv')
    const args = ['--size', '1MB-2MB', '--count', '10', '--in', 'all', '--csv', csv]
    const document = await place.measured(...args)
    expect(readdirSync(place.target)).toEqual([])
    const { containers = [], notMeasured = [] } = document
    expect(containers.map(({ kind, encryption }) => [kind, encryption])).toEqual(EACH)
    expect(notMeasured.map(({ kind }) => kind)).toEqual(['UDZO', 'ASIF'])
    // Figures of unlike containers are not thrown together.
    expect([document.samples, document.write, document.read, document.tests]).toEqual([[], null, null, []])
    for (const container of containers) {
      const { kind, encryption, occupied } = container
      for (const state of STATES) {
        const count = state === 'refilled' ? 9 : 10
        const rows = container[state].tests.map(({ op, samples }) => [op, samples])
        expect([kind, encryption, state, rows]).toEqual([
          kind,
          encryption,
          state,
          [
            ['write', count],
            ['read', count],
          ],
        ])
        expect(container[state].write?.bytesPerSecond?.provenance).toBe('measured')
      }
      const [only] = occupied
      expect(occupied).toHaveLength(1)
      const { diskBytes = 0, freshBytes = 0, full, deleted, refilled } = only ?? {}
      expect(freshBytes).toBeGreaterThanOrEqual(diskBytes)
      expect(refilled?.bytes).toBeGreaterThanOrEqual(diskBytes)
      // An encrypted read-write image has no holes, for its zeros are ciphertext: it gives nothing back.
      const givesBack = kind !== 'UDRW' || encryption === null
      if (givesBack) expect(deleted?.bytes).toBeLessThan(diskBytes)
      else expect(deleted?.bytes).toBe(full?.bytes)
      const hasBands = kind !== 'UDRW'
      expect(full?.bands).toBe(hasBands ? Math.ceil(diskBytes / (container.bandSize ?? 1)) : null)
      if (kind === 'UDSP') expect(deleted?.bands).toBeLessThan(full?.bands ?? 0)
      expect(refilled?.bands).toEqual(full?.bands)
    }
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe(
      'kind,encryption,bandBytes,state,writeBytesPerSecond,writeLowBytesPerSecond,writeHighBytesPerSecond,' +
        'readBytesPerSecond,readLowBytesPerSecond,readHighBytesPerSecond,occupiedBytes,deletedBytes,bands,bandsLeft',
    )
    expect(lines.slice(1).map((line) => line.split(',').filter((_, at) => [0, 1, 3].includes(at)))).toEqual(
      EACH.flatMap(([kind, bits]) => STATES.map((state) => [kind, String(bits ?? ''), state])),
    )
    const shown = await stowage(['measure', '--show', document.id], { home: place.home })
    expect(shown.code, shown.stderr).toBe(0)
    const text = shown.stdout.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/^Fastest when new: write \S+/)
    expect(text).toMatch(/UDSB, AES-256 most deleted [\d.]+ [MG]B\/s/)
    expect(text).toContain('not measured: UDZO: read-only')
    expect(text).toContain('not measured: ASIF: only diskutil of macOS 26 or later makes it')
    expect(shown.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const listed = await stowage(['measure', '--list', '--json'], { home: place.home })
    const [item] = (JSON.parse(listed.stdout) as { measurements: { containers: object[] }[] }).measurements
    expect(item?.containers).toHaveLength(6)
    const { full, deleted } = containers[0]?.occupied[0] ?? {}
    expect(item?.containers[0]).toMatchObject({ bandsInUse: { full: full?.bands, left: deleted?.bands } })
    const sweep = ['bands', place.target, '--sizes', '2MiB', '--budget', '100MB', '--full-size', '1GB']
    const swept = await stowage(sweep, { home: place.home })
    expect(swept.code, swept.stderr).toBe(0)
    const used = `In use here: of ${full?.bands} bands of 8 MiB when full, ${deleted?.bands} after most was deleted`
    // Where the device did not answer, nothing may rest on the run.
    if (document.cache.plausible) expect(swept.stdout.replaceAll(/\s+/g, ' ')).toContain(used)
    else expect(swept.stdout).not.toContain('In use here')
    const refused = await stowage(['options', place.folder, '--profile', document.id], { home: place.home })
    expect(refused.code).toBe(2)
  })

  it('keeps to a budget, deleting included, and says before what it writes', { tags: 'long' }, async () => {
    const args = ['--size', '1MB', '--count', '30', '--in', 'all:128', '--budget', '60MB', '--json']
    const end = await stowage(['measure', place.target, ...args], { home: place.home })
    expect(end.code, end.stderr).toBe(0)
    const document = place.documentOf(end)
    expect(document.writtenBytes).toBeLessThanOrEqual(60e6)
    expect(document.writtenBytes).toBeGreaterThan(30e6)
    expect(end.stderr.replaceAll(/\s+/g, ' ')).toMatch(/to 6 kinds of containers one after another in/)
    const keys = document.containers?.map(({ encryption }) => encryption)
    expect(keys).toEqual([null, 128, null, 128, null, 128])
    expect(containerRows(document.containers ?? [])).toHaveLength(18)
  })

  it('keeps what it has when it is stopped', async () => {
    const test = ['--size', '1MB', '--count', '3000']
    const args = ['measure', place.target, ...test, '--in', 'all', '--budget', '40GB', '--json']
    const end = await stowage(args, {
      home: place.home,
      onStart: (kill) => {
        const timer = setInterval(() => {
          const made = readdirSync(place.target, { recursive: true }).map(String)
          if (!made.some((name) => name.endsWith('bands/1'))) return
          clearInterval(timer)
          setTimeout(() => kill('SIGINT'), 100)
        }, 5)
        timer.unref()
      },
    })
    expect(end.code, end.stderr).toBe(130)
    const document = place.documentOf(end)
    expect(document).toMatchObject({
      partial: true,
      containers: [{ kind: 'UDSB', encryption: null }],
    })
    expect(readdirSync(place.target)).toEqual([])
  })

  it('takes the files of Stibium unless others are asked for', async () => {
    const args = ['measure', place.target, '--in', 'all', '--budget', '1000B']
    const end = await stowage(args, { home: place.home })
    expect([end.code, end.stderr.trimEnd().split('\n').length]).toEqual([4, 1])
    expect(end.stderr).toMatch(/Stibium: the budget of 1000 bytes is too small to measure anything/)
  })
})
