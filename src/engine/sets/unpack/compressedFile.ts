import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import type { RecipeOf } from '../../../domain/options/recipes/recipe'
import { lz4Content } from '../../codecs/lz4Content'
import { joinPath } from '../../files/fileSystem'
import { writeNewFile } from '../../files/newFile'
import { decompressed } from './decompressed'
import { followedRange } from './followedRange'
import type { Unpack } from './unpacker'

/** Decompresses a file that was compressed by itself: the container has one member. */
export const unpackCompressedFile: Unpack<'compressed-files'> = async (container, members, work, recipe) => {
  const content = contentOf(recipe.codec, followedRange(container, work.signal, work.onShare))
  const file = joinPath(work.scratch, 'member')
  const bytes = await writeNewFile(file, content, { flush: false, mode: 0o600, signal: work.signal })
  for (const member of members) work.found(member, { file, offset: 0, bytes })
}

function contentOf(
  codec: RecipeOf<'compressed-files'>['codec'],
  input: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  switch (codec) {
    case 'gzip-6':
    case 'gzip-9':
      return decompressed(input, createGunzip())
    case 'zstd-3':
    case 'zstd-19':
      return decompressed(input, createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 31 } }))
    case 'lz4':
      return lz4Content(input)
  }
}
