import { said } from '../../../primitives/said'
import { within } from '../cost/estimateParts'
import { repositoryVariants } from '../cost/repositoryVariant'
import { EVERYWHERE, KOPIA_READERS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'

const MIB = 1024 * 1024

/**
 * The lists of Kopia, by its documentation and not measured: 28 bytes of encryption for a content,
 * about 60 in its index, JSON of about 300 bytes a file, compressed to a third.
 */
const LISTS = {
  archiveBytes: 30_000,
  chunkBytes: 90,
  mentionBytes: 20,
  fileBytes: 60,
  pathShare: 0.5,
  folderBytes: 300,
  error: 0.6,
}

/** Repositories of Kopia: chunks by content, each once, always encrypted. */
export const kopiaFamily: OptionFamily = {
  variants: (facts) =>
    repositoryVariants(
      facts,
      {
        tool: 'kopia',
        title: 'Kopia',
        chunker: 'kopia',
        readers: KOPIA_READERS,
        encryption: 'always',
        indexBytes: () => 0,
        ram: (_survey, chunks) =>
          within(150 * MIB + chunks * 200, 0.6, 'assumed', said`as users report: Kopia was not measured`),
        packBytes: 20 * MIB,
        threads: 4,
        makers: EVERYWHERE,
      },
      [
        { recipe: { family: 'kopia', codec: 'none' }, codec: null, codecFactor: 1, lists: LISTS },
        { recipe: { family: 'kopia', codec: 'zstd-3' }, codec: 'zstd-3', codecFactor: 1.008, lists: LISTS },
      ],
    ),
}
