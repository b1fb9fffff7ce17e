import { said } from '../../../primitives/said'
import { within } from '../cost/estimateParts'
import { repositoryVariants } from '../cost/repositoryVariant'
import { EVERYWHERE, RESTIC_READERS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'

const MIB = 1024 * 1024

/**
 * The lists of restic 0.14, with repository version 2: encryption, pack list and index of each
 * chunk; files and folders are in compressed trees. Found on the sets of borg's lists: 10 % of the
 * bytes added to the data were missed (docs/methods/constants.md).
 */
const LISTS = {
  archiveBytes: 3000,
  chunkBytes: 109,
  mentionBytes: 35,
  fileBytes: 12,
  pathShare: 0.2,
  folderBytes: 313,
  error: 0.25,
}
/**
 * The default level of the zstd library in Go, against that of the zstd program at level 3: 1.006
 * and 1.012 were seen.
 */
const GO_ZSTD = 1.008

/** Making the repository derives its key with scrypt, which takes this much memory. */
const INIT_RAM = 86 * MIB

/** Memory of restic 0.14 grows with what it has read, up to what its packs and readers hold. */
const RAM_BASE = 55 * MIB
const RAM_SHARE = 0.35
const RAM_MOST = 112 * MIB
const RAM_CHUNK = 250

/** Repositories of restic: chunks by content, each once, always encrypted. */
export const resticFamily: OptionFamily = {
  variants: (facts) =>
    repositoryVariants(
      facts,
      {
        tool: 'restic',
        title: 'restic',
        chunker: 'restic',
        readers: RESTIC_READERS,
        encryption: 'always',
        indexBytes: () => 0,
        wait: 'restic',
        waitCpu: 'restic.keys',
        unpackKey: 'restic.key',
        ram: (survey, chunks) =>
          within(
            Math.max(
              INIT_RAM,
              Math.min(RAM_MOST, RAM_BASE + RAM_SHARE * survey.totals.bytes) + chunks * RAM_CHUNK,
            ),
            0.22,
            'modelled',
            said`restic’s packs and readers, and its index`,
          ),
        packBytes: 16 * MIB,
        threads: 2,
        makers: EVERYWHERE,
      },
      [
        { recipe: { family: 'restic', compression: 'off' }, codec: null, codecFactor: 1, lists: LISTS },
        {
          recipe: { family: 'restic', compression: 'auto' },
          codec: 'zstd-3',
          codecFactor: GO_ZSTD,
          lists: { ...LISTS, chunkBytes: 113 },
        },
      ],
    ),
}
