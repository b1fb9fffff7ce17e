import { type BlockLevelCounts, blockFigures } from './blockFigures'
import type { PassCounts } from './carriedFigures'
import { type ChunkCounts, chunkFigures } from './chunkFigures'
import type { DuplicateTally } from './duplicateTally'
import type { Chunked, FixedBlock, SurveyDocument } from './surveyDocument'

/** Tables of all block sizes and chunkers. */
export interface Levels {
  readonly blockLevels: readonly BlockLevelCounts[]
  readonly chunkLevels: readonly ChunkCounts[]
}

/** The figures of a survey by block size and by chunker. */
export type CutFigures = Pick<SurveyDocument, 'fixedBlocks' | 'chunked'>

/**
 * Tables of blocks and chunks as the document's figures; `files` of the same files, where all of
 * them are known.
 */
export function levelFigures(
  { blockLevels, chunkLevels }: Levels,
  duplicateFileBytes: number,
  files: Pick<DuplicateTally, 'distinctBelow'> | null = null,
): CutFigures {
  return {
    fixedBlocks: blockLevels.map((level) =>
      blockFigures(level, files && files.distinctBelow(level.blockSize)),
    ),
    chunked: chunkLevels.map((level) => chunkFigures(level, duplicateFileBytes)),
  }
}

/**
 * Cut figures as they are stored: unique bytes never exceed the bytes of the files, whatever was
 * counted besides them, and no figure of a part of the source counts as exact.
 */
export function heldToBytes(
  { fixedBlocks, chunked }: CutFigures,
  bytes: number,
  partial: boolean,
): CutFigures {
  const held = <F extends FixedBlock | Chunked>(figure: F): F => {
    const exact = figure.exact && !partial && figure.uniqueBytes <= bytes
    const { uniqueBytes, low, high } = figure
    return {
      ...figure,
      exact,
      uniqueBytes: Math.min(uniqueBytes, bytes),
      low: Math.min(low, bytes),
      high: Math.min(high, bytes),
    }
  }
  return { fixedBlocks: fixedBlocks.map(held), chunked: chunked.map(held) }
}

/**
 * Figures of a pass that are not yet those of its entries: it may have counted
 * `level.bytes - readBytes` of files whose entries have not been taken or that could be read in
 * part only, and it has counted nothing of the unchanged files. The figures are scaled to the bytes
 * of the entries, so that what is unique never exceeds what was read; the range holds whatever the
 * files in between are.
 */
export function provisionalFigures(
  levels: Levels,
  duplicateFileBytes: number,
  { readBytes, trustedBytes }: Pick<PassCounts, 'readBytes' | 'trustedBytes'>,
  files: Pick<DuplicateTally, 'distinctBelow'> | null = null,
): CutFigures {
  const { fixedBlocks, chunked } = levelFigures(levels, duplicateFileBytes, files)
  const loose = <F extends FixedBlock | Chunked>(
    figure: F,
    counted: readonly (keyof F)[],
    levelBytes: number,
  ): F => {
    const ahead = Math.max(0, levelBytes - readBytes)
    if (ahead === 0 && trustedBytes === 0) return figure
    const share = ahead === 0 ? 1 : readBytes / levelBytes
    const scaled = Object.fromEntries(
      counted.map((key) => [key, Math.floor(share * (figure[key] as number))]),
    )
    return {
      ...figure,
      ...scaled,
      exact: false,
      low: Math.max(0, figure.low - ahead),
      high: Math.min(figure.high, readBytes) + trustedBytes,
    }
  }
  return {
    fixedBlocks: fixedBlocks.map((figure, index) =>
      loose(
        figure,
        ['blocks', 'uniqueBlocks', 'uniqueBytes', 'zeroBlocks', 'zeroBytes'],
        levels.blockLevels[index]?.bytes ?? 0,
      ),
    ),
    chunked: chunked.map((figure, index) =>
      loose(figure, ['chunks', 'uniqueChunks', 'uniqueBytes'], levels.chunkLevels[index]?.bytes ?? 0),
    ),
  }
}
