import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import type { OptionFacts } from '../../../src/domain/options/facts'
import { allVariants } from '../../../src/domain/options/families/registry'
import { layoutOfAll } from '../../../src/domain/survey/romLayout'
import { exact } from '../../../src/primitives/estimate'

/** The facts of a survey's document and the folder that it is of, on a made-up target. */
export function factsOf(document: SurveyDocument, folder: string, cores: number): OptionFacts {
  let largestFileBytes = 0
  let pathBytes = 0
  let files = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    largestFileBytes = Math.max(largestFileBytes, statSync(path).size)
    pathBytes += Buffer.byteLength(relative(folder, path))
    files += 1
  }
  const fast = exact(500e6, 'made up')
  return {
    survey: {
      ...document,
      grouped: document.grouped ?? [],
      romLayout: layoutOfAll(document.dat?.dats ?? []),
      lentFiles: document.dat?.lent ?? 0,
      fragments: document.fragments ?? [],
      passSeconds: document.timing.passMs / 1000,
      largestFileBytes,
      pathBytes: files > 0 ? pathBytes / files : 0,
    },
    target: {
      writeBytesPerSecond: fast,
      readBytesPerSecond: fast,
      writeLatencySeconds: exact(0.0001, 'made up'),
      readLatencySeconds: exact(0.0001, 'made up'),
    },
    machine: { system: 'linux', cores, memoryBytes: 16e9, pace: 1 },
    tableEntryBytes: 320,
  }
}

export { allVariants }
