/** The words for the rows of each table; only those that lists show can be removed. */
export const REMOVABLE = [
  { kind: 'plan', table: 'plans', listed: 'withdrawn_by IS NULL' },
  { kind: 'survey', table: 'surveys', listed: "state = 'done'" },
  { kind: 'measurement', table: 'measurements', listed: 'TRUE' },
  { kind: 'band sweep', table: 'band_sweeps', listed: 'TRUE' },
  { kind: 'option build', table: 'option_builds', listed: 'TRUE' },
  { kind: 'check', table: 'checks', listed: 'TRUE' },
  { kind: 'run', table: 'runs', listed: 'TRUE' },
] as const

/** Something that was removed from the catalog. */
export interface Removed {
  readonly kind: (typeof REMOVABLE)[number]['kind']
  readonly id: string
}
