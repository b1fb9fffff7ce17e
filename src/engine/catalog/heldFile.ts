import type { VerifiedFile } from './verifiedFile'

/** By plan and number: the volumes to look at, each with the paths that were left out of it. */
export type HeldVolumes = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

export interface HeldFiles {
  /** The volumes of `HeldVolumes` whose plans the catalog knows. */
  readonly volumes: readonly { readonly planId: string; readonly volume: number }[]
  /**
   * Files in pages, which may be empty; `volumes` of each are the places that it needs, all.
   * @param withSources their paths too, which takes several times as long
   */
  files(withSources?: boolean): IterableIterator<readonly VerifiedFile[]>
  /** The same of symbolic links, by their targets. */
  links(): IterableIterator<readonly { readonly target: string; readonly volumes: readonly number[] }[]>
}
