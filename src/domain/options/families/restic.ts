import { EVERYWHERE, RESTIC_READERS } from '../choice/readers'
import { estimateOf, sumTogether, within } from '../cost/estimateParts'
import { repositoryVariants } from '../cost/repositoryVariant'
import { inTurn } from '../cost/turns'
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

/**
 * Making the repository starts the program once more, and derives its key with scrypt, which takes
 * this much memory.
 */
const INIT_SECONDS = 0.35
/**
 * The time that restic waits besides its CPU time, in seconds: for the disk after each pack, and
 * for its deliberately slow keys; 2.1 to 3 s were measured (version 0.14).
 */
const WAITING = { value: 2.8, low: 1.2, high: 4.5 }
/**
 * CPU time of that: restic tries how hard a key can be in half a second, which is the harder the
 * freer the machine is. 2.0 to 3.7 s on an idle one, 0.3 to 0.9 s while 8 to 30 other programs ran.
 */
const KEYS_CPU = { value: 2, low: 0.2, high: 4 }
/**
 * The CPU time of opening a repository, in seconds: up to half a second on any machine, as its key
 * is deliberately slow.
 */
const KEY_CPU = { value: 0.3, low: 0.05, high: 0.6 }
/** And a little for each file, and for the list of each folder, in addition to the CPU time. */
const EACH_FILE = { value: 0.1e-3, low: 0, high: 0.3e-3 }
const EACH_FOLDER = { value: 0.4e-3, low: 0, high: 1.5e-3 }
const FLUSHING = 'keys and flushed packs'
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
        waitSeconds: (survey) =>
          sumTogether(
            [estimateOf(WAITING, 'assumed', FLUSHING), inTurn(survey, EACH_FILE, EACH_FOLDER)],
            FLUSHING,
          ),
        waitCpuSeconds: estimateOf(KEYS_CPU, 'assumed', 'its deliberately slow keys'),
        work: {
          startSeconds: 0.35 + INIT_SECONDS,
          fileSeconds: 115e-6,
          byteSeconds: 4.5e-9,
          // 1.3 to 2.1 times as much was seen while other programs ran.
          error: 0.4,
          source: 'CPU time of restic 0.14 without compression, measured on Linux',
        },
        unpackWork: {
          startSeconds: 0.1,
          fileSeconds: 50e-6,
          byteSeconds: 3.5e-9,
          error: 0.15,
          source: 'CPU time of restic restore, measured on Linux',
        },
        unpackKeySeconds: estimateOf(KEY_CPU, 'assumed', 'its deliberately slow key'),
        // Each is a tree that is read by itself.
        unpackFolderSeconds: 200e-6,
        ram: (survey, chunks) =>
          within(
            Math.max(
              INIT_RAM,
              Math.min(RAM_MOST, RAM_BASE + RAM_SHARE * survey.totals.bytes) + chunks * RAM_CHUNK,
            ),
            0.22,
            'modelled',
            'restic’s packs and readers, and its index',
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
