import type { RecipeFamily, RecipeOf } from '../../../domain/options/recipes/recipe'
import type { ContentPlace } from '../../files/read'

/** A member that was found in a container. */
export interface FoundMember {
  readonly bytes: number
  /**
   * Where its content is: in a plain file of the scratch folder, in a range of an image, perhaps of
   * the container itself, or in memory, of a short one that is alone in its container. Null where
   * only digests were asked for.
   */
  readonly content: ContentPlace | Buffer | null
  /**
   * The digest of the written content, where the unpacker wrote it itself; null where the content
   * is yet to be hashed.
   */
  readonly sha256: string | null
}

/** The settings of an unpacking, and the functions that it reports to. */
export interface Unpacking {
  /**
   * An empty folder of its own, made when it is first asked for; whoever lends it removes it with
   * all that is in it.
   */
  scratch(): string
  /**
   * True when digests of members are enough: content that comes as a stream is then not written.
   */
  readonly digestsOnly: boolean
  /** The bytes of the password; whoever has them overwrites them. */
  readonly password: Uint8Array | null
  readonly signal: AbortSignal
  /** The bytes of all wanted members. */
  readonly bytes: number
  /** How much of the unpacking is done, from 0 to 1; it never falls. */
  onShare(share: number): void
  found(member: string, found: FoundMember): void
}

/**
 * Unpacks members of one container, named in lossless text form. What the container lacks is not
 * found.
 * @param container the range of a file, or for a repository its folder
 * @throws AppError `wrong-password`, `tool-missing`, `no-space`, `cancelled`; anything else says
 *   what is wrong with the container, of which some members may have been found
 */
export type Unpack<Family extends RecipeFamily = RecipeFamily, From = ContentPlace> = (
  container: From,
  members: ReadonlySet<string>,
  work: Unpacking,
  recipe: RecipeOf<Family>,
) => Promise<void>

/** A container to unpack: a range of a file, or the folder of a repository. */
export type Container = ContentPlace | { readonly folder: string }

/** Unpacks what the builder of a family makes. */
export type Unpacker<Family extends RecipeFamily> =
  | { readonly of: 'file'; readonly unpack: Unpack<Family> }
  | { readonly of: 'repository'; readonly unpack: Unpack<Family, string> }
