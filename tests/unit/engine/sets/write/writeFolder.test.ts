import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { differenceText } from '../../../../../src/engine/sets/volume/open/difference'
import type { SizedVolume } from '../../../../../src/engine/sets/volume/planned/plannedVolume'
import type { ImageSource } from '../../../../../src/engine/sets/write/imageSource'
import { readBackWritten } from '../../../../../src/engine/sets/write/readBackWritten'
import { writeImageTo } from '../../../../../src/engine/sets/write/writeFolder'
import { systemClock } from '../../../../../src/primitives/clock'
import { temporaryFolder } from '../../../../support/archiveRun'
import { noNotes } from '../../../../support/noNotes'

const folder = temporaryFolder('write-image')
afterAll(() => folder.dispose())

const { signal } = new AbortController()
const SECTORS = 40
const volumeOf = (label: string): SizedVolume =>
  ({ label, sectors: SECTORS, entries: [] }) as unknown as SizedVolume

function write(label: string, openSource: () => Promise<ImageSource>) {
  return writeImageTo(folder.path, volumeOf(label), new Map(), openSource, {
    notes: noNotes,
    again: false,
    isReplaceable: async () => false,
    verify: false,
    bufferBytes: 65_536,
    context: { piped: () => undefined, signal, clock: systemClock },
    onWritten: () => undefined,
    onVerified: () => undefined,
  })
}

test('an image that ends early or late while it is read is not put in place, without reading it back', async () => {
  for (const sectors of [SECTORS - 1, SECTORS, SECTORS + 1]) {
    const label = `VOLUME_${sectors}`
    const source = join(folder.path, `source ${sectors}`)
    writeFileSync(source, Buffer.alloc(sectors * 2048, 1))
    const input = openSync(source, 'r')
    const written = write(label, async () => ({
      input,
      settled: async () => undefined,
      close: async () => closeSync(input),
    }))
    if (sectors === SECTORS) await written
    else
      await expect(written).rejects.toMatchObject({
        code: 'changed',
        message: expect.stringContaining(
          `the image has ${sectors * 2048} bytes instead of ${SECTORS * 2048}`,
        ),
      })
    expect(existsSync(join(folder.path, `${label}.iso`))).toBe(sectors === SECTORS)
  }
  expect(readdirSync(folder.path).filter((name) => name.includes('.partial'))).toEqual([])
})

test.each([
  [
    'of the planned size with other content',
    SECTORS * 2048,
    'cannot read the image: it has no ISO 9660 descriptor',
  ],
  ['without content', 0, 'it has 0 bytes instead of 81,920 bytes'],
])(
  'an image %s that is there already is neither taken for the volume nor replaced',
  async (_, bytes, why) => {
    const label = `THERE_${bytes}`
    const target = join(folder.path, `${label}.iso`)
    writeFileSync(target, Buffer.alloc(bytes, 1))
    const never = (): never => {
      throw new Error('the source is opened')
    }
    await expect(write(label, never)).rejects.toMatchObject({ code: 'exists', path: target })
    expect(readFileSync(target)).toHaveLength(bytes)
    const checking = { signal, onBytes: () => undefined }
    const image = { kind: 'image' as const, volume: volumeOf(label), expected: new Map(), sha256: null }
    const { differences } = await readBackWritten(target, image, checking)
    expect(differences.map((difference) => differenceText(difference)).join()).toContain(why)
  },
)
