import type { OptionEncryption } from '../../../contract/dto/options'
import type { CarriesOut } from '../../../domain/options/choice/demands'
import type { Recipe, RecipeFamily, RecipeOf } from '../../../domain/options/recipes/recipe'
import type { FileGrouping } from '../../catalog/catalog'
import type { ExternalTool } from '../../tools/externalTool'

/** A file that goes into what is built. */
export interface BuildFile {
  /** Absolute. */
  readonly source: string
  /**
   * Relative to the source's top folder, with the root's name in front where there are several
   * roots; `/` between names.
   */
  readonly path: string
  readonly bytes: number
  /** SHA-256 where the survey has it. */
  readonly digest: string | null
  /** As the survey saw it (see `entryTime`); without it the time is not checked. */
  readonly mtimeNs?: bigint
}

/** A folder, named as files are. */
export interface BuildFolder {
  readonly source: string
  readonly path: string
}

export interface BuildSymlink extends BuildFolder {
  readonly target: string
}

/** Files for one archive. */
export interface BuildGroup {
  /** Where the archive should be in what is built, without an ending; null where that is open. */
  readonly place: string | null
  readonly files: readonly BuildFile[]
}

export interface BuildRequest<Made extends Recipe = Recipe> {
  readonly recipe: Made
  readonly roots: readonly string[]
  /** All files of the source by the bytes of their paths. */
  readonly files: readonly BuildFile[]
  /**
   * The folders of the source, those above before those in them; without it those that hold no file
   * are left out.
   */
  readonly folders?: readonly BuildFolder[]
  /** The symbolic links of the source; without it there are none in what is built. */
  readonly symlinks?: readonly BuildSymlink[]
  /**
   * The same in the order in which files that share data follow one another; asked only of builders
   * that want it.
   */
  contentOrder(): Promise<readonly BuildFile[]>
  /**
   * The files in groups that share data, or of parents with their clones; each is in one group.
   * Asked only of builders that want it.
   * @param among some of the files, which are then grouped among themselves
   */
  groups?(by: FileGrouping, among?: readonly BuildFile[]): Promise<readonly BuildGroup[]>
  /**
   * The file to be made, or the folder for what is more than one: it does not exist, its folder
   * does.
   */
  readonly path: string
  /**
   * True when the files are only some of those below the roots; then nothing else of the roots may
   * be in the result.
   */
  readonly isPart?: boolean
  /** The kind of encryption; `none` or absent where there is no password. */
  readonly encryption?: OptionEncryption
  /**
   * Its bytes are not the builder's: whoever asked for the build overwrites them. Null or absent:
   * not encrypted.
   */
  readonly password?: Uint8Array | null
  /** True when a person keeps the result; without it, it is weighed and thrown away. */
  readonly isKept?: boolean
  /**
   * A folder of the build's own for what is only needed meanwhile; removed by whoever asked for the
   * build.
   */
  readonly scratch: string
  readonly signal: AbortSignal
  /** Bytes of the source that have gone in; null where the program does not report it. */
  onProgress(bytesDone: number | null): void
}

/** The result of a build. The caller checks, times and stores it. */
export interface Built {
  readonly tool: string
  readonly version: string
  /** The command, for people. */
  readonly command: string
  /** The size of the result: the bytes of the file, or of all files of the folder. */
  readonly bytes: number
  /**
   * The most memory that the program had, and its work on all cores; null where the system does not
   * report it. Of what Stowage does itself: the growth of its own memory (`ownMeter`).
   */
  readonly ramBytes: number | null
  readonly cpuSeconds: number | null
  /** True when building again gives the same bytes. */
  readonly repeatable: boolean
  /**
   * The archives of builders that make several: each with its path below the result and the names
   * of its files in it.
   */
  readonly archives?: readonly {
    readonly path: string
    readonly files: readonly { readonly path: string; readonly name: string }[]
    /** The permanent name of its own recipe, where that is not the builder's. */
    readonly method?: string
  }[]
  /** Parts of the source that are left out or stored in another form, in words. */
  readonly notes?: readonly string[]
}

/** Builds the recipes of one family with the real program. */
export interface OptionBuilder<Family extends RecipeFamily = RecipeFamily> {
  /** The program that it needs; null for none but Stowage. */
  readonly tool: ExternalTool | null
  /**
   * Null when it builds this recipe; else why not, in words. Without it the family's recipes are
   * all built.
   */
  refuses?(recipe: RecipeOf<Family>): string | null
  /** The abilities besides storing the files (encryption, redundancy); absent: none. */
  readonly carriesOut?: CarriesOut
  /**
   * @throws AppError `cancelled`, `tool-missing`, `tool-failed`, `no-space`, `vanished`, …; what
   *   it had written below `path` is then removed by whoever asked
   */
  build(request: BuildRequest<RecipeOf<Family>>): Promise<Built>
}
