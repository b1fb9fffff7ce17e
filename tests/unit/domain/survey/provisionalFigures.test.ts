import { expect, it } from 'vitest'
import { provisionalFigures } from '../../../../src/domain/survey/levelFigures'
import type { BlockLevel, ChunkLevel } from '../../../../src/engine/native/levels'

/** A level that has counted blocks of files whose entries have not been taken yet. */
function level(bytes: number, unique: number): BlockLevel & ChunkLevel {
  return {
    chunker: 'borg',
    chunks: bytes / 4096,
    blockSize: 4096,
    blocks: bytes / 4096,
    bytes,
    zeroBlocks: bytes / 8192,
    zeroBytes: bytes / 2,
    exact: true,
    theta: 1,
    retained: unique / 4096,
    sumBytesRetained: unique,
    sumSquaredBytesRetained: unique * 4096,
  } as BlockLevel & ChunkLevel
}

it('figures of a pass that is ahead of its entries never count more unique bytes than were read', () => {
  const MIB = 1024 ** 2
  for (const readBytes of [0, MIB, 50 * MIB, 99 * MIB, 100 * MIB]) {
    for (const unique of [1, 50, 100]) {
      const of = level(100 * MIB, unique * MIB)
      const { fixedBlocks, chunked } = provisionalFigures({ blockLevels: [of], chunkLevels: [of] }, 0, {
        readBytes,
        trustedBytes: 0,
      })
      for (const figure of [...fixedBlocks, ...chunked]) {
        const label = `${unique} MiB unique of 100, ${readBytes / MIB} read`
        expect(figure.uniqueBytes, label).toBeLessThanOrEqual(readBytes)
        expect(figure.low, label).toBeLessThanOrEqual(figure.uniqueBytes)
        expect(figure.high, label).toBeGreaterThanOrEqual(figure.uniqueBytes)
        expect(figure.high, label).toBeLessThanOrEqual(readBytes)
      }
      expect(fixedBlocks[0]?.zeroBytes).toBeLessThanOrEqual(readBytes)
    }
  }
})
