const MIB = 1024 * 1024

/**
 * Sizes that forecasts are made for: what a person would choose, and what computers have the memory
 * for.
 */
const DICTIONARIES = [1, 4, 16, 64, 256, 1024].map((size) => size * MIB)

/** Dictionary sizes worth telling apart for a source: up to the first that holds all of it. */
export function dictionariesFor(sourceBytes: number): number[] {
  const enough = DICTIONARIES.findIndex((size) => size >= sourceBytes)
  return enough < 0 ? DICTIONARIES : DICTIONARIES.slice(0, enough + 1)
}

/**
 * True when a solid archive with this dictionary is an option of its own; torrent7z also has
 * others.
 */
export function isOffered(dictionaryBytes: number): boolean {
  return DICTIONARIES.includes(dictionaryBytes)
}
