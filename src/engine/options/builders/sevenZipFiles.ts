import { sevenZip } from '../../tools/sevenZip'
import type { OptionBuilder } from './optionBuilder'
import { packWhole } from './sevenZipWhole'
import { unknownVariant } from './sizeNames'

/** One archive in which every file is compressed by itself. */
export const sevenZipFiles: OptionBuilder = {
  family: 'seven-zip-files',
  tool: sevenZip,
  refuses: (variant) => (variant === '7z-files' ? null : unknownVariant(variant)),
  build: (request) => packWhole(request, ['-mx=9', '-ms=off'], 'path'),
}
