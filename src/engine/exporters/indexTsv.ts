import type { PlanDocument, PlanEntry } from '../../contract/dto/plan'

/** What stands at the head of the index, so that it explains itself on a disc found in fifty years. */
const INDEX_HEAD =
  '# Index of all volumes. Fields are separated by tabs; in paths, \\\\ is a backslash, \\t a tab, \\n a line feed,\n' +
  '# \\r a carriage return, and \\xHH any other control character or a byte that is not UTF-8.\n' +
  'volume\tlabel\tkind\tbytes\tsha256\tpath\n'

/** One line per entry of every volume, in the order of volumes; kinds are file, part, folder and symlink. */
export function* indexTsv(
  document: Pick<PlanDocument, 'volumes'>,
  entriesOf: (volumeIndex: number) => Iterable<PlanEntry>,
): Generator<string> {
  yield INDEX_HEAD
  for (const { index, label } of document.volumes) {
    for (const entry of entriesOf(index)) yield indexLine(index, label, entry)
  }
}

function indexLine(index: number, label: string, entry: PlanEntry): string {
  const hasContent = entry.kind === 'file' || entry.kind === 'part'
  const figures = hasContent ? `${entry.bytes}\t${entry.sha256}` : '\t'
  return `${index}\t${label}\t${entry.kind}\t${figures}\t${escapeTsv(entry.path)}\n`
}

/** A path for one field of the index, by the rule that the index states at its head. */
export function escapeTsv(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  return path.replace(/[\\\u0000-\u001f\u007f\ud800-\udfff]/gu, (character) => {
    if (character === '\\') return '\\\\'
    if (character === '\t') return '\\t'
    if (character === '\n') return '\\n'
    if (character === '\r') return '\\r'
    const point = character.codePointAt(0) as number
    return `\\x${(point >= 0xdc80 ? point - 0xdc00 : point).toString(16).padStart(2, '0')}`
  })
}
