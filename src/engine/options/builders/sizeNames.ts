const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 * 1024 }

/** The bytes of a size in a variant's name, such as `512`, `2k` or `64m`; null for what is none. */
export function sizeOfName(text: string): number | null {
  const found = /^([1-9]\d*)([km]?)$/.exec(text)
  return found ? Number(found[1]) * (UNITS[found[2] as string] as number) : null
}

/** A refusal of a variant that is none of a family's. */
export function unknownVariant(variant: string): string {
  return `there is no option ${variant}`
}
