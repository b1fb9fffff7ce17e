import { useSyncExternalStore } from 'react'

/** The colours of a chart, read from the tokens so that there is one source of colour. */
export interface ChartColours {
  readonly ink: string
  readonly muted: string
  readonly paper: string
  readonly hairline: string
  readonly grid: string
  readonly accent: string
  readonly band: string
  /** A band behind the one that matters. */
  readonly faint: string
  /**
   * The edge of bands and pale bars: seen only where the person's own colours leave no pale ones.
   */
  readonly edge: string
  readonly strong: string
  readonly write: string
  readonly read: string
  readonly randomRead: string
  readonly randomWrite: string
  readonly compress: string
  readonly face: string
}

let known: { readonly scheme: string; readonly colours: ChartColours } | null = null

/**
 * Read anew only when the scheme has changed: reading styles makes the browser lay the page out.
 */
export function chartColours(): ChartColours {
  const scheme = snapshot()
  if (known?.scheme !== scheme) known = { scheme, colours: readColours() }
  return known.colours
}

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    ink: token('--ink'),
    muted: token('--muted'),
    paper: token('--paper'),
    hairline: token('--hairline'),
    grid: token('--chart-grid'),
    accent: token('--accent'),
    band: token('--chart-band'),
    faint: token('--chart-faint'),
    edge: token('--chart-edge'),
    strong: token('--line-strong'),
    write: token('--op-write'),
    read: token('--op-read'),
    randomRead: token('--op-random-read'),
    randomWrite: token('--op-random-write'),
    compress: token('--op-compress'),
    face: token('--face'),
  }
}

const QUERIES = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']

/** Changes whenever the colours do: the theme, the system's contrast, forced colours. */
export function useColourScheme(): string {
  return useSyncExternalStore(subscribe, snapshot)
}

function subscribe(listener: () => void): () => void {
  const queries = QUERIES.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
    observer.disconnect()
  }
}

function snapshot(): string {
  const theme = document.documentElement.dataset['theme'] ?? ''
  return [theme, ...QUERIES.map((query) => matchMedia(query).matches)].join(' ')
}
