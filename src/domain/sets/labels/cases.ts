import type { Medium } from '../../media/medium'
import type { Settings } from '../../settings/settings'

/**
 * Paper for the cases of discs, in millimetres: booklets and cards as
 * https://www.zetaprints.com/help/cddvd-case-cover-guide/ lists them, which agrees with
 * https://everything2.com/user/SharQ/writeups/Jewel+Case within 1 mm.
 */
export const CASES = {
  /** A jewel case: a booklet, folded once, and the card below the tray with its two spines. */
  cd: { front: 120, height: 120, spine: 0, tray: { width: 150, height: 117, spine: 6 } },
  /** A keep case: one sheet around it. */
  dvd: { front: 129, height: 184, spine: 14, tray: null },
  bd: { front: 128, height: 149, spine: 14, tray: null },
} as const

export type CaseKind = keyof typeof CASES
export const CASE_KINDS = Object.keys(CASES) as CaseKind[]

/** The case that a medium is sold in. */
export function caseOf({ family }: Pick<Medium, 'family'>): CaseKind {
  if (family === 'bd' || family === 'bdxl') return 'bd'
  return family === 'dvd' ? 'dvd' : 'cd'
}

/** The printable part of a disc of 120 mm: its outer and its inner diameter. */
export const DISC_FACE = { outer: 116, hub: 23 }
export type DiscFace = typeof DISC_FACE

export type Paper = Settings['paper']

/** Portrait, in millimetres (ISO 216; ANSI/ASME Y14.1). */
export const PAPERS = {
  a4: [210, 297],
  letter: [215.9, 279.4],
} as const satisfies Readonly<Record<Paper, readonly [width: number, height: number]>>
