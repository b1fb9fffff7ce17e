import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sequenceDigester } from '../../../../src/engine/sets/verify/sevenZipDigests'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('the digester of a stream of files', () => {
  test('gives each file its own digest wherever the chunks end, empty files and folders between them too', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 100; round++) {
      const entries = Array.from({ length: random.below(12) }, () => {
        const kind = (['file', 'folder', 'symlink'] as const)[random.below(4)] ?? 'file'
        return { kind, bytes: kind === 'file' ? random.below(3) * random.below(50) : 0 }
      })
      const contents = entries.map(({ bytes }) => {
        const content = new Uint8Array(bytes)
        random.fillBytes(content)
        return content
      })
      const stream = Buffer.concat(contents)
      const digests: (string | undefined)[] = []
      const digester = sequenceDigester(entries, digests)
      for (let at = 0; at < stream.length; ) {
        const stop = at + 1 + random.below(60)
        digester.push(stream.subarray(at, stop))
        at = stop
      }
      expect(digester.end()).toBe(true)
      for (const [at, { kind }] of entries.entries()) {
        expect(digests[at]).toBe(kind === 'file' ? sha256(contents[at] as Uint8Array) : undefined)
      }
    }
  })

  test('reports missing and surplus bytes', () => {
    const short = sequenceDigester([{ kind: 'file', bytes: 5 }], [])
    short.push(new Uint8Array(4))
    expect(short.end()).toBe(false)
    const long = sequenceDigester([{ kind: 'file', bytes: 5 }], [])
    long.push(new Uint8Array(6))
    expect(long.end()).toBe(false)
  })
})
