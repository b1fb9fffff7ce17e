import type { OpticalMedium } from '../../contract/dto/measure'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { findProgram } from './findProgram'
import { runTool } from './runTool'
import { xorriso } from './xorriso'

const UNKNOWN: OpticalMedium = {
  profile: '',
  state: 'unknown',
  capacitySectors: null,
  usedSectors: null,
  freeSectors: null,
  sessions: null,
  writeBytesPerSecond: [],
  manufacturerId: null,
}

/**
 * The medium in a drive, as `xorriso -toc` and `dvd+rw-mediainfo` describe it; whichever of them is
 * there is asked, and what one leaves open the other may fill in. Nothing is written.
 * @throws AppError `tool-missing` without either, `tool-failed`
 */
export async function opticalMedium(device: string): Promise<OpticalMedium> {
  const reports: OpticalMedium[] = []
  const burner = await xorriso.find()
  if (burner) {
    const { output } = await runTool(burner.path, ['-no_rc', '-outdev', device, '-toc', '-list_speeds'])
    reports.push(parseXorrisoToc(output))
  }
  const mediainfo = await findProgram('dvd+rw-mediainfo')
  if (mediainfo !== null) {
    const { output } = await runTool(mediainfo, [device])
    reports.push(parseMediainfo(output))
  }
  if (reports.length === 0) {
    throw new AppError(
      'tool-missing',
      said`cannot look into ${device}: neither xorriso nor dvd+rw-mediainfo is installed`,
    )
  }
  return reports.reduce(filledIn)
}

/** The facts of the first, and where it has none those of the second. */
export function filledIn(first: OpticalMedium, second: OpticalMedium): OpticalMedium {
  return {
    profile: first.profile === '' ? second.profile : first.profile,
    state: first.state === 'unknown' ? second.state : first.state,
    capacitySectors: first.capacitySectors ?? second.capacitySectors,
    usedSectors: first.usedSectors ?? second.usedSectors,
    freeSectors: first.freeSectors ?? second.freeSectors,
    sessions: first.sessions ?? second.sessions,
    writeBytesPerSecond:
      first.writeBytesPerSecond.length > 0 ? first.writeBytesPerSecond : second.writeBytesPerSecond,
    manufacturerId: first.manufacturerId ?? second.manufacturerId,
  }
}

/** Output of `xorriso -outdev DRIVE -toc -list_speeds`. Anything else in it is passed over. */
export function parseXorrisoToc(output: string): OpticalMedium {
  const lineOf = (name: string): string | null =>
    new RegExp(`^${name.padEnd(13)}: *(.*)$`, 'm').exec(output)?.[1]?.trim() ?? null
  // With -toc the lines of the medium come twice; those after the drive's own are complete.
  const current = lineOf('Media current') ?? ''
  const blocks = /^Media blocks : (\d+) readable , (\d+) writable , (\d+) overall/m.exec(output)
  const sessions = /^Media summary: (\d+) session/m.exec(output)?.[1]
  const product = lineOf('Media product')
  return {
    ...UNKNOWN,
    profile: /is not recognizable|is not present/.test(current) ? '' : current,
    state: xorrisoState(lineOf('Media status') ?? '', current),
    usedSectors: numberOf(blocks?.[1]),
    freeSectors: numberOf(blocks?.[2]),
    capacitySectors: numberOf(blocks?.[3]),
    sessions: numberOf(sessions),
    writeBytesPerSecond: speeds(
      [...output.matchAll(/^Write speed {2}: *(\d+)k ,/gm)].map(([, kilobytes]) => Number(kilobytes) * 1000),
    ),
    manufacturerId: product === null || product === '' ? null : (product.split(' , ')[0]?.trim() ?? null),
  }
}

function xorrisoState(status: string, current: string): OpticalMedium['state'] {
  if (/is not present/.test(`${status} ${current}`)) return 'absent'
  if (/is not recognizable/.test(status)) return 'unknown'
  if (/is blank/.test(status)) return 'blank'
  if (/is appendable/.test(status)) return 'appendable'
  return /is closed|is written/.test(status) ? 'closed' : 'unknown'
}

/** Output of `dvd+rw-mediainfo DRIVE`. Anything else in it is passed over. */
export function parseMediainfo(output: string): OpticalMedium {
  const field = (name: string): string | null =>
    new RegExp(`^ ${name}: +(.*)$`, 'm').exec(output)?.[1]?.trim() ?? null
  if (/no media mounted|:-\( no media/i.test(output)) return { ...UNKNOWN, state: 'absent' }
  const all = (name: string): number[] =>
    [...output.matchAll(new RegExp(`^ ${name}: +(\\d+)\\*2KB`, 'gm'))].map(([, sectors]) => Number(sectors))
  const free = all('Free Blocks')
  const starts = all('Track Start Address')
  const sizes = all('Track Size')
  // The last track reaches to the end of the medium; on those that can be overwritten it is the only one.
  const capacity =
    starts.length > 0 && starts.length === sizes.length ? (starts.at(-1) ?? 0) + (sizes.at(-1) ?? 0) : null
  const state = MEDIAINFO_STATES[field('Disc status') ?? ''] ?? 'unknown'
  const readable = Number(/^READ CAPACITY: +(\d+)\*2048=/m.exec(output)?.[1] ?? Number.NaN)
  return {
    ...UNKNOWN,
    profile: (field('Mounted Media') ?? '').replace(/^[0-9A-F]+h, /, ''),
    state,
    capacitySectors: capacity,
    usedSectors: state === 'blank' ? 0 : Number.isFinite(readable) ? readable : null,
    freeSectors: free.at(-1) ?? null,
    sessions: sessionsOf(field('Number of Sessions'), field('State of Last Session')),
    writeBytesPerSecond: speeds(
      [...output.matchAll(/^ Write Speed #\d+: +[\d.]+x\d+=(\d+)KB\/s/gm)].map(
        ([, kilobytes]) => Number(kilobytes) * 1000,
      ),
    ),
    manufacturerId: field('Media ID'),
  }
}

const MEDIAINFO_STATES: Readonly<Record<string, OpticalMedium['state']>> = {
  blank: 'blank',
  appendable: 'appendable',
  complete: 'closed',
}

/** The drive counts the session that could be begun next; it holds nothing yet. */
function sessionsOf(count: string | null, last: string | null): number | null {
  const sessions = numberOf(count ?? undefined)
  return sessions !== null && last === 'empty' ? sessions - 1 : sessions
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}

/** Each once, fastest first. */
function speeds(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => b - a)
}
