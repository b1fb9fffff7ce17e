import type { Provenance } from '../../primitives/estimate'

/** The signs for where a figure comes from. */
export const MARKS: Readonly<Record<Provenance, string>> = {
  measured: '●',
  modelled: '◐',
  assumed: '○',
  exact: '■',
}
