import type { Recipe, RecipeFamily } from '../../../domain/options/recipes/recipe'
import { said } from '../../../primitives/said'
import { appleImage } from './appleImage'
import { borgRepository } from './borgRepository'
import { compressedFiles } from './compressedFiles'
import { isoImage } from './isoImage'
import type { BuildRequest, Built, OptionBuilder } from './optionBuilder'
import { plainFolder } from './plainFolder'
import { requireMade } from './requireMade'
import { resticRepository } from './resticRepository'
import { linkedArchives } from './sevenZip/linkedArchives'
import { sevenZipMerged } from './sevenZip/merged'
import { sevenZipFiles, sevenZipSolid, torrent7z } from './sevenZip/whole'
import { squashfs } from './squashfs'
import { tarZst } from './tarZst'
import { torrentZips } from './torrentZip/torrentZips'

/** For each family its builder, or why its options are only forecast. */
const BUILDERS: { readonly [Family in RecipeFamily]: OptionBuilder<Family> | string } = {
  plain: plainFolder,
  iso: isoImage,
  'apple-image': appleImage,
  'compressed-files': compressedFiles,
  'seven-zip-files': sevenZipFiles,
  'seven-zip-solid': sevenZipSolid,
  torrent7z,
  'seven-zip-merged': sevenZipMerged,
  'seven-zip-blocks': linkedArchives,
  torrentzip: torrentZips,
  blocks: said`it shows what deduplication would save and cannot be restored`,
  zfs: said`Stowage does not create ZFS pools: that takes root and devices of their own`,
  borg: borgRepository,
  restic: resticRepository,
  kopia: said`Stowage was not tested with kopia; create one with "kopia repository create filesystem" and "kopia snapshot create"`,
  'tar-zst': tarZst,
  squashfs,
}

/**
 * The builder of a recipe, whose result is checked (`requireMade`), or why Stowage does not build
 * it, in words.
 */
export function builderOf(recipe: Recipe): OptionBuilder | string {
  // It is the builder of this very family, which the compiler cannot follow.
  const builder = BUILDERS[recipe.family] as OptionBuilder | string
  if (typeof builder === 'string') return builder
  const refusal = builder.refuses?.(recipe) ?? null
  return refusal ?? { ...builder, build: (request) => checkedBuild(builder, request) }
}

/** A program that ends with 0 may have made nothing. */
async function checkedBuild(builder: OptionBuilder, request: BuildRequest): Promise<Built> {
  const built = await builder.build(request)
  requireMade(request, built)
  return built
}
