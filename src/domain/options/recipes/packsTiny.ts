import { dictionariesFor } from '../../forecast/dictionaries'
import { printRecipe } from './recipe'

/** A window that every computer has the memory for. */
const MOST_WINDOW = 4 * 1024 * 1024

/**
 * The option that packs many tiny files: one tar.zst, in which each costs a header and no sector.
 * Every survey with samples of at least that many bytes has a forecast of it.
 */
export function packsTiny(bytes: number): string {
  const windows = dictionariesFor(bytes).filter((size) => size <= MOST_WINDOW)
  return printRecipe({ family: 'tar-zst', windowBytes: Math.max(...windows), order: 'path' })
}
