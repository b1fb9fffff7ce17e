import type { Estimate } from '../../../primitives/estimate'
import type { OptionFacts } from '../facts'
import type {
  OptionEncryption as Encryption,
  OptionBands,
  ReadingTask,
  OptionRisk as Risk,
  System,
} from '../optionsDocument'
import type { ImageVariant } from './macImage'
import type { Recipe, RecipeFamily } from './recipe'

export type {
  OptionEncryption as Encryption,
  OptionRisk as Risk,
  ReadingTask,
  System,
} from '../optionsDocument'

type Access = 'inPlace' | 'mount' | 'extract'

/**
 * Who can read a container, with where that is known from. `own`: part of the system; otherwise
 * free to get.
 */
export interface Reader {
  readonly task: ReadingTask
  readonly systems: readonly System[]
  readonly tool: string
  readonly since: string | null
  readonly own: boolean
  readonly source: string
  /** It reads the container only where that is not encrypted. */
  readonly plainOnly?: true
  /** No other program reads the container. */
  readonly onlyOne?: true
}

/**
 * One way to store a source, before it is put on a medium. Sizes are those of the container without
 * encryption, redundancy and rounding to volumes; times are those of the processor, without reading
 * the source or writing the result.
 */
export interface Variant {
  readonly recipe: Recipe
  /** The recipe's permanent name, in documents and scripts. */
  readonly name: string
  readonly family: RecipeFamily
  /** In words. */
  readonly title: string
  readonly container: string
  readonly reduction: string
  readonly codec: string | null
  readonly recordBytes: number | null
  readonly dictionaryBytes: number | null
  readonly chunker: string | null
  readonly order: string | null
  readonly storedBytes: Estimate
  readonly storedFiles: Estimate
  /**
   * Where every file of the source is a file of the container too: how long it is against the
   * source's, for rounding each to a medium's sectors. Absent where the files are the container's
   * own.
   */
  readonly fileRatio?: number
  /**
   * The largest piece that has to lie on one volume; 0 where the container may be cut anywhere and
   * rejoined.
   */
  readonly largestPieceBytes: number
  /** Work of packing on one core, in seconds, and the cores it can use at once. */
  readonly packSeconds: Estimate
  readonly packThreads: number
  readonly packRamBytes: Estimate
  /**
   * The time that passes while it is made whatever else is done at once: files begun one after the
   * other, waiting for the disk.
   */
  readonly waitSeconds?: Estimate
  /** CPU time in it, of a program that works for so long however fast the machine is. */
  readonly waitCpuSeconds?: Estimate
  /** Times that the source is read while it is made; 1 for most. */
  readonly sourceReads: number
  /** Work of unpacking everything on one core, and the cores it can use at once. */
  readonly unpackSeconds: Estimate
  readonly unpackThreads: number
  readonly useRamBytes: Estimate
  /** Bytes of the container to be read, and seconds of one core, for one file of mean size. */
  readonly fetchBytes: Estimate
  readonly fetchSeconds: Estimate
  readonly access: Access
  readonly readers: readonly Reader[]
  /** The systems on which it can be made. */
  readonly makers: readonly System[]
  /**
   * The kinds of encryption, whether it is work in addition for each byte, and the header in bytes;
   * null where there is none to have.
   */
  readonly encryption: {
    readonly kinds: readonly Encryption[]
    readonly isWork: boolean
    readonly headerBytes?: number
    /** A note for who chooses it encrypted. */
    readonly note?: string
  } | null
  readonly risks: readonly Risk[]
  readonly notes: readonly string[]
  /** The bands of a sparse bundle. */
  readonly bands?: OptionBands
  /** The disk image that its bytes are written and read through; encryption is then the image's. */
  readonly image?: ImageVariant
}

/** A kind of container with its reductions: one file and one test each. */
export interface OptionFamily {
  /** The variants worth telling apart for a source: none where the survey does not know enough. */
  variants(facts: OptionFacts): Variant[]
}
