import { presetPatterns } from '../../../domain/survey/rules/presets'
import {
  type Excluded,
  type ExcludedPath,
  NO_RULES,
  type RuleCount,
  type Rules,
} from '../../../domain/survey/rules/rules'
import { pathFromBytes } from '../../../primitives/pathText'
import type { NativeSurvey } from '../../native/addon'

/** A document's lists have no more rows. */
const MOST_LISTED = 1000

/** Collects what rules leave out while a pass goes on. */
export interface ExcludedList {
  /** Takes what has been met since, so that it does not wait in native memory. */
  take(): void
  /** Null where rules left nothing out, every pattern decided something, and none is wrong. */
  excluded(): Excluded | null
}

/**
 * @param counted whether the pass counts what is in folders that are left out
 * @param mostListed how many paths are kept: the first in their order
 */
export function excludedList(
  native: Pick<NativeSurvey, 'takeExcludedFiles' | 'excludedFolders' | 'ruleCounts' | 'ruleFaults'>,
  roots: readonly string[],
  {
    rules = NO_RULES,
    counted,
    mostListed = MOST_LISTED,
  }: { rules?: Rules | undefined; counted: boolean; mostListed?: number },
): ExcludedList {
  let listed: ExcludedPath[] = []
  let files = 0
  let bytes = 0
  const firstOf = (paths: readonly ExcludedPath[]): ExcludedPath[] =>
    paths.toSorted((one, other) => (one.path < other.path ? -1 : 1)).slice(0, mostListed)
  const take = (): void => {
    for (let batch = native.takeExcludedFiles(); batch !== null; batch = native.takeExcludedFiles()) {
      for (let index = 0; index < batch.count; index++) {
        const size = batch.bytes[index] ?? 0
        files += 1
        bytes += size
        const start = index === 0 ? 0 : batch.pathEnds[index - 1]
        const below = pathFromBytes(batch.pathBytes.subarray(start, batch.pathEnds[index]))
        const root = (roots[batch.rootIndex[index] ?? 0] ?? '').replace(/\/+$/, '')
        const path = `${root}/${below}`
        listed.push({ path, isFolder: false, bytes: size, rule: batch.rule[index] ?? 0 })
      }
      if (listed.length > 4 * mostListed) listed = firstOf(listed)
    }
  }
  return {
    take,
    excluded() {
      take()
      const folders = native.excludedFolders()
      const counts = native.ruleCounts()
      const faults = native.ruleFaults()
      const unused = counts.flatMap(({ origin, used, text }) => (origin === 'given' && !used ? [text] : []))
      if (files + folders.length + faults.length + unused.length === 0) return null
      const inFolders = counts.map(() => ({ folderFiles: 0, folderBytes: 0 }))
      for (const folder of folders) {
        const sums = inFolders[folder.rule]
        if (!sums) continue
        sums.folderFiles += folder.files
        sums.folderBytes += folder.bytes
      }
      const whole = folders.map(({ path, rule, ...inside }) => ({
        path,
        isFolder: true,
        ...(counted && inside),
        rule,
      }))
      const presets = presetPatterns(rules.presets)
      const firstPreset = counts.findIndex(({ origin }) => origin === 'preset')
      const places = new Map<number, number>()
      const rows: RuleCount[] = []
      for (const [index, count] of counts.entries()) {
        if (count.files + count.folders === 0) continue
        places.set(index, rows.length)
        const preset = count.origin === 'preset' ? presets[index - firstPreset]?.preset : undefined
        rows.push({
          from: count.origin,
          ...(preset && { preset }),
          ...(count.path !== null && { path: count.path, line: count.line }),
          ...(count.text !== '' && { pattern: count.text }),
          files: count.files,
          bytes: count.bytes,
          folders: count.folders,
          ...(counted && inFolders[index]),
        })
      }
      const sum = (of: 'files' | 'bytes'): number =>
        counted ? folders.reduce((total, folder) => total + folder[of], 0) : 0
      return {
        files: files + sum('files'),
        bytes: bytes + sum('bytes'),
        folders: folders.length,
        counted,
        rules: rows,
        paths: firstOf([...listed, ...whole]).map((row) =>
          Object.assign({}, row, { rule: places.get(row.rule) ?? 0 }),
        ),
        unused: unused.slice(0, MOST_LISTED),
        faults: faults.slice(0, MOST_LISTED),
      }
    },
  }
}
