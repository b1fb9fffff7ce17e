import type { ComposedOption } from '../cost/compose'
import type { OptionAllows, OptionBands, ReadingWay } from '../optionsDocument'
import { allowsOf } from '../recipes/allows'
import { readingWays } from '../recipes/readingWays'
import { shortNameOf } from '../recipes/shortName'
import type { Variant } from '../recipes/variant'

/** A variant on a medium, with its figures, before it is compared with others. */
export interface OptionRow
  extends Omit<ComposedOption, 'variant' | 'medium' | 'fits'>,
    Pick<
      Variant,
      | 'family'
      | 'container'
      | 'reduction'
      | 'codec'
      | 'recordBytes'
      | 'dictionaryBytes'
      | 'chunker'
      | 'order'
      | 'access'
    > {
  readonly bands: OptionBands | null
  /** The variant's permanent name, and in words. */
  readonly variant: string
  readonly name: string
  readonly shortName: string
  readonly medium: string
  readonly mediumName: string
  readonly ways: readonly ReadingWay[]
  readonly allows: OptionAllows
}

/** The same in one line, as documents have it. */
export function rowOf(composed: ComposedOption): OptionRow {
  const { variant, medium, fits: _, ...rest } = composed
  return {
    ...rest,
    variant: variant.name,
    family: variant.family,
    name: variant.title,
    shortName: shortNameOf(variant.recipe),
    container: variant.container,
    reduction: variant.reduction,
    codec: variant.codec,
    recordBytes: variant.recordBytes,
    dictionaryBytes: variant.dictionaryBytes,
    chunker: variant.chunker,
    order: variant.order,
    bands: variant.bands ?? null,
    medium: medium.id,
    mediumName: medium.name,
    access: variant.access,
    ways: readingWays(composed.readers),
    allows: allowsOf(variant, medium),
  }
}
