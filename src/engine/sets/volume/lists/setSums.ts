import { pathFromBytes } from '../../../../primitives/pathText'

/**
 * The digests of a `SHA256SUMS` by path, as `sha256Line` and GNU `sha256sum` write them.
 * @returns null where a line is damaged
 */
export function readSetSums(text: Buffer): Map<string, string> | null {
  const sums = new Map<string, string>()
  for (const line of text.toString('latin1').split('\n')) {
    if (line === '') continue
    const [, isEscaped, sha256, name] = /^(\\?)([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
    if (sha256 === undefined || name === undefined) return null
    const own = name === './-' ? '-' : name
    const unescaped = isEscaped
      ? own.replace(/\\([\\nr])/g, (_, letter: string) => LETTERS[letter] ?? '')
      : own
    sums.set(pathFromBytes(Buffer.from(unescaped, 'latin1')), sha256)
  }
  return sums
}

const LETTERS: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' }
