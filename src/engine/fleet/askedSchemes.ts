import { unitedSchemes } from '../../domain/fingerprints/fingerprintCheck'
import type { CountedScheme } from '../../domain/fleet/fleetCounts'
import { FILES_SCHEME } from '../../domain/fleet/fleetReport'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { CheckedFingerprints } from '../fingerprints/checkFingerprints'
import { partName } from '../fingerprints/fingerprintTables'
import type { PrintsOf } from './prints'

/** A way of cutting with the sources that have it. */
export interface AskedScheme extends PrintsOf {
  /** The facts that are known before anything is counted. */
  readonly facts: Omit<CountedScheme, 'own' | 'adds' | 'onlyHere' | 'pairs'>
  /** The rows of all shares that the sources kept. */
  readonly rows: number
}

/**
 * The schemes that are asked for, and whole files last.
 * @param names none for all
 * @throws AppError `usage` for one that no source has
 */
export function askedSchemes(
  checked: readonly CheckedFingerprints[],
  names: readonly string[],
): AskedScheme[] {
  const shiftsOfFiles = checked.map(({ note }) => note.contentsShift ?? 0)
  const all = [
    ...unitedSchemes(checked.map(({ note }) => note)).map(
      ({ name, table, nominalBytes, shift, sharesDiffer }) =>
        askedScheme(checked, name, { name, table, nominalBytes, shift, sharesDiffer }),
    ),
    askedScheme(checked, undefined, {
      name: FILES_SCHEME,
      table: 'contents',
      nominalBytes: null,
      shift: Math.max(...shiftsOfFiles),
      sharesDiffer: new Set(shiftsOfFiles).size > 1,
    }),
  ]
  const unknown = names.find((name) => !all.some(({ facts }) => facts.name === name))
  if (unknown !== undefined)
    throw new AppError(
      'usage',
      said`no fingerprints of ${unknown} are there, but of ${all.map(({ facts }) => facts.name).join(', ')}`,
    )
  return names.length === 0 ? all : all.filter(({ facts }) => names.includes(facts.name))
}

function askedScheme(
  checked: readonly CheckedFingerprints[],
  scheme: string | undefined,
  facts: Omit<AskedScheme['facts'], 'missing'>,
): AskedScheme {
  const has = ({ note }: CheckedFingerprints): boolean =>
    scheme === undefined || note.schemes.some(({ name }) => name === scheme)
  const part = partName(facts.table, scheme)
  return {
    table: facts.table,
    scheme,
    manyGroup: null,
    sources: checked.flatMap((fingerprints, index) => (has(fingerprints) ? { index, fingerprints } : [])),
    facts: { ...facts, missing: checked.flatMap((one, index) => (has(one) ? [] : index)) },
    rows: checked.reduce(
      (sum, { note: { parts } }) => sum + (parts.find(({ name }) => name === part)?.rows ?? 0),
      0,
    ),
  }
}
