import type { Page } from '../state/frame'

const PATHS: Record<Page, string> = {
  home: 'M2.500 7.500l5.500-5 5.500 5M4 6.500v6.500h3v-3.500h2v3.500h3v-6.500',
  archive: 'M2.500 4h11v3h-11zM3.500 7v6h9v-6M6.500 9.500h3',
  source: 'M2.5 5.5v7h11v-6.500h-5.500l-1.500-1.500h-4z',
  survey: 'M2.500 13.500v-11M2.500 13.500h11M5 11c1.500-6 4-6.500 8-7',
  measure: 'M2.500 11.500a5.500 5.500 0 1 1 11 0M8 11.500l2.700-4',
  choose: 'M2.500 13.500v-11M2.500 13.500h11M5 4.500v1M6.500 8v1M9 10.200v1M12 11v1M10.500 5v1',
  plan: 'M3 3h2.500v10H3zM6.750 5h2.500v8h-2.500zM10.500 3.800H13V13h-2.500z',
  build:
    'M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M8 6.500a1.500 1.500 0 1 0 0 3a1.500 1.500 0 1 0 0-3',
  images: 'M2.500 4.500l5.500-2 5.500 2v7l-5.500 2-5.500-2zM2.500 4.500l5.500 2 5.500-2M8 6.500v7',
  catalog: 'M7 2.800a4.200 4.200 0 1 0 0 8.400a4.200 4.200 0 1 0 0-8.400M10.200 10.200l3.500 3.500',
  restore: 'M3 8a5 5 0 1 0 1.600-3.700M3 2.800v3h3M8 5.500v3l2 1.200',
  roms: 'M2.500 4.500h11v7h-11zM5 11.500v-3M8 11.500v-3M11 11.500v-3M5.500 4.500v2h5v-2',
  settings:
    'M2.500 4.500h7M12.500 4.500h1M11 3v3M2.500 8h1M6.500 8h7M5 6.500v3M2.500 11.500h6M11.500 11.500h2M10 10v3',
}

/** The sign of a page for the narrow rail; the label says the same in words. */
export function StepIcon({ step }: { step: Page }) {
  return (
    <svg className="step-icon" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path
        d={PATHS[step]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
