import type { FamilyShape } from '../../../charts/paretoPicture'

/** The shape of a family in the trade-off chart, small, next to its name. */
export function FamilyMark({ shape }: { shape: FamilyShape }) {
  return (
    <svg className="family-mark" viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
      <path d={OUTLINES[shape]} fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />
    </svg>
  )
}

const OUTLINES: Readonly<Record<FamilyShape, string>> = {
  files: 'M6 1.800a4.200 4.200 0 1 0 0 8.400a4.200 4.200 0 1 0 0-8.400',
  images: 'M2 2h8v8H2z',
  archives: 'M6 1.500l4.800 8.700H1.200z',
  stores: 'M6 0.900L11.100 6L6 11.100L0.900 6z',
  other: 'M2.200 2.200l7.600 7.600M9.800 2.200l-7.600 7.600',
}
