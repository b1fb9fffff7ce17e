import { sevenZip } from '../../tools/sevenZip'
import type { OptionBuilder } from './optionBuilder'
import { type ArchiveOrder, packWhole } from './sevenZipWhole'
import { sizeOfName, unknownVariant } from './sizeNames'

function parse(variant: string): { dictionary: number; order: ArchiveOrder } | null {
  const found = /^7z-solid-([^-]+)-(path|type|content)$/.exec(variant)
  const dictionary = found ? sizeOfName(found[1] as string) : null
  return dictionary === null ? null : { dictionary, order: found?.[2] as ArchiveOrder }
}

/** One archive that is compressed as one stream, with a dictionary of a chosen size and the files in a chosen order. */
export const sevenZipSolid: OptionBuilder = {
  family: 'seven-zip-solid',
  tool: sevenZip,
  refuses: (variant) => (parse(variant) ? null : unknownVariant(variant)),
  build(request) {
    const { dictionary, order } = parse(request.variant) ?? { dictionary: 1, order: 'path' }
    return packWhole(request, ['-mx=9', `-md=${dictionary}b`, '-ms=on'], order)
  },
}
