import type { PlanEntry } from '../../../contract/dto/plan'
import { hexBytes } from '../../../primitives/pathText'
import type { PlannedVolume } from '../plannedVolume'

/** What stands at the head of the index, so that it explains itself on a disc found in fifty years. */
const INDEX_HEAD =
  '# Index of all volumes. Fields are separated by tabs. In paths \\\\ is a backslash, \\t a tab, \\n a line feed,\n' +
  '# \\r a carriage return, and \\xHH the byte HH: of another control character, or one that is not UTF-8.\n' +
  'volume\tlabel\tkind\tbytes\tsha256\tpath\n'

/** One line per entry of every volume, in the order of volumes; kinds are file, part, folder and symlink. */
export function* indexTsv(
  volumes: readonly Pick<PlannedVolume, 'index' | 'label' | 'entries'>[],
): Generator<string> {
  yield INDEX_HEAD
  for (const { index, label, entries } of volumes) {
    for (const entry of entries) yield indexLine(index, label, entry)
  }
}

function indexLine(index: number, label: string, entry: PlanEntry): string {
  const hasContent = entry.kind === 'file' || entry.kind === 'part'
  const figures = hasContent ? `${entry.bytes}\t${entry.sha256}` : '\t'
  return `${index}\t${label}\t${entry.kind}\t${figures}\t${escapeTsv(entry.path)}\n`
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A path for one field of the index, by the rule that the index states at its head. */
export function escapeTsv(path: string): string {
  return path.replace(/[\\\p{Cc}\ud800-\udfff]/gu, (character) => SHORT[character] ?? hexBytes(character))
}
