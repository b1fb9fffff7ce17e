import type { DiscKind, Drive, DriveMedium } from '../../../contract/dto/run'

/** What of a report on a drive matters; null where it has no line on that. */
type Facts = Pick<Drive, 'vendor' | 'model' | 'medium'>

/**
 * What xorriso reports with `-toc -list_speeds`. Lines that it does not know are passed over, so whatever was printed gives an
 * answer: without a line on the medium, no disc.
 */
export function parseXorrisoReport(lines: readonly string[]): Facts {
  const type = firstOf(lines, /^Drive type +: vendor '(.*?)' product '(.*?)' revision/)
  const name = firstOf(lines, /^Media current: (.+?) *$/)?.[1]
  const status = firstOf(lines, /^Media status : (.+?) *$/)?.[1] ?? ''
  const about = { vendor: textOf(type?.[1]), model: textOf(type?.[2]) }
  if (name === undefined || isNoDisc(name) || isNoDisc(status)) return { ...about, medium: null }
  const blocks = firstOf(lines, /^Media blocks : (\d+) readable , (\d+) writable/)
  const used = countOf(blocks?.[1])
  const kind = kindOf(name)
  return {
    ...about,
    medium: {
      kind,
      name,
      blank: /\bblank\b/.test(status),
      rewritable: isRewritable(kind),
      capacitySectors: countOf(blocks?.[2]),
      usedSectors: used,
      speeds: speedsOf(lines, /^Write speed +: +\d+k , +(\d+(?:\.\d+)?)x/),
    },
  }
}

/** The same of `dvd+rw-mediainfo`, which knows DVD and BD only. */
export function parseMediaInfo(lines: readonly string[]): Facts {
  const type = firstOf(lines, /^INQUIRY: +\[(.*?)\]\[(.*?)\]/)
  const name = firstOf(lines, /^ ?Mounted Media: +[0-9A-F]+h, (.+?) *$/)?.[1]
  const about = { vendor: textOf(type?.[1]), model: textOf(type?.[2]) }
  if (name === undefined) return { ...about, medium: null }
  const kind = kindOf(name)
  const status = firstOf(lines, /^ ?Disc status: +(\w+)/)?.[1]
  const free = countOf(firstOf(lines, /^ ?Free Blocks: +(\d+)\*2KB/)?.[1])
  const unformatted = countOf(firstOf(lines, /^ ?(?:un)?formatted: +(\d+)\*2048/)?.[1])
  const read = countOf(firstOf(lines, /^READ CAPACITY: +(\d+)\*2048/)?.[1])
  return {
    ...about,
    medium: {
      kind,
      name,
      blank: status === 'blank',
      rewritable: isRewritable(kind),
      capacitySectors: status === 'blank' ? (free ?? unformatted) : 0,
      usedSectors: read,
      speeds: speedsOf(lines, /^ ?Write Speed #\d+: +(\d+(?:\.\d+)?)x/),
    },
  }
}

/** Drives that xorriso lists with `-device_links` or `-devices`. */
export function parseDevices(lines: readonly string[]): Pick<Drive, 'device' | 'vendor' | 'model'>[] {
  return lines.flatMap((line) => {
    const match = /^\d+ +-dev +'(.+?)' +[-rw]+ +: +'(.*?)' +'(.*?)'/.exec(line)
    if (!match) return []
    return [{ device: match[1] as string, vendor: textOf(match[2]), model: textOf(match[3]) }]
  })
}

/** What profiles are called, by MMC and by the programs; the longer name first where one begins another. */
const NAMES: readonly (readonly [RegExp, DiscKind])[] = [
  [/^stdio file/, 'file'],
  [/^CD-ROM/, 'cd-rom'],
  [/^CD-RW/, 'cd-rw'],
  [/^CD-R/, 'cd-r'],
  [/^DVD-ROM/, 'dvd-rom'],
  [/^DVD-RAM/, 'dvd-ram'],
  [/^DVD-RW/, 'dvd-rw'],
  [/^DVD-R (?:dual|double) layer|^DVD-R DL/i, 'dvd-r-dl'],
  [/^DVD-R/, 'dvd-r'],
  [/^DVD\+RW(?:\/| )?DL/, 'dvd+rw-dl'],
  [/^DVD\+RW/, 'dvd+rw'],
  [/^DVD\+R(?:\/| )?(?:DL|dual|double)/i, 'dvd+r-dl'],
  [/^DVD\+R/, 'dvd+r'],
  [/^BD-ROM/, 'bd-rom'],
  [/^BD-RE/, 'bd-re'],
  [/^BD-R/, 'bd-r'],
]

function kindOf(name: string): DiscKind {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown'
}

const REWRITABLE: ReadonlySet<DiscKind> = new Set([
  'cd-rw',
  'dvd-rw',
  'dvd-ram',
  'dvd+rw',
  'dvd+rw-dl',
  'bd-re',
  'file',
])

function isRewritable(kind: DiscKind): DriveMedium['rewritable'] {
  return REWRITABLE.has(kind)
}

function isNoDisc(text: string): boolean {
  return /^is not (?:recognizable|present)/.test(text)
}

function speedsOf(lines: readonly string[], pattern: RegExp): number[] {
  const found = lines.flatMap((line) => {
    const speed = Number(pattern.exec(line)?.[1] ?? 0)
    return speed > 0 && speed < 1000 ? [speed] : []
  })
  return [...new Set(found)].toSorted((one, other) => one - other)
}

function countOf(digits: string | undefined): number | null {
  const count = Number(digits ?? Number.NaN)
  return Number.isSafeInteger(count) ? count : null
}

function textOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

function firstOf(lines: readonly string[], pattern: RegExp): RegExpExecArray | null {
  for (const line of lines) {
    const match = pattern.exec(line)
    if (match) return match
  }
  return null
}
