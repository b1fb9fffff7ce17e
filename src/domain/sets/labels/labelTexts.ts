import type { ParityKind } from '../protection/setParity'

/** The texts of one volume's label, in the language of the person. */
export interface LabelTexts {
  /** The name of the archive; empty where it must not be known. */
  readonly name: string
  readonly label: string
  /** `Disc 1 of 5`. */
  readonly number: string
  /** Short facts with their names: date, medium, files, copy. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** The heading of the folders. */
  readonly contents: string
  /** Folders with their part of the volume's bytes; empty where they must not be known. */
  readonly folders: readonly {
    readonly path: string
    readonly files: string
    readonly size: string
    readonly part: number
  }[]
  /** The ways to read it and the promise of its recovery data, a sentence each. */
  readonly notes: readonly string[]
  /** The shortest of the notes, for the disc. */
  readonly discNotes: readonly string[]
  /** The identifiers in the code, a line each. */
  readonly identity: readonly string[]
}

/**
 * The content of the code on a label, and so what `verify` and the catalog know of the volume: its
 * label, number, plan, the first 16 digits of its index's SHA-256, and the copy.
 */
export function identityLines(volume: {
  readonly label: string
  /** Its number, or the kind of a parity disc. */
  readonly index: number | ParityKind
  readonly volumes: number
  readonly planId: string
  readonly setId: string | undefined
  readonly copy: number | undefined
}): string[] {
  const { label, index, volumes, planId, setId, copy } = volume
  return [
    `Stowage ${label}`,
    typeof index === 'number' ? `volume ${index} of ${volumes}` : `parity ${index} of ${volumes} volumes`,
    `plan ${planId}`,
    ...(setId === undefined ? [] : [`set ${setId.slice(0, 16)}`]),
    ...(copy === undefined ? [] : [`copy ${copy}`]),
  ]
}
