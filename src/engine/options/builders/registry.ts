import {
  partsOf,
  printRecipe,
  type Recipe,
  type RecipeFamily,
  type RecipeOf,
} from '../../../domain/options/recipes/recipe'
import { said } from '../../../primitives/said'
import { appleImage } from './appleImage'
import { borgRepository } from './borgRepository'
import { byFolderBuilder } from './byFolder'
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
const BUILDERS: {
  readonly [Family in Exclude<RecipeFamily, 'by-folder'>]: OptionBuilder<Family> | string
} = {
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
  if (recipe.family === 'by-folder') return mixedBuilder(recipe)
  // It is the builder of this very family, which the compiler cannot follow.
  const builder = BUILDERS[recipe.family] as OptionBuilder | string
  if (typeof builder === 'string') return builder
  const refusal = builder.refuses?.(recipe) ?? null
  return refusal ?? { ...builder, build: (request) => checkedBuild(builder, request) }
}

/** The builder of a recipe by folder, of those of its options. */
function mixedBuilder(recipe: RecipeOf<'by-folder'>): OptionBuilder | string {
  const builders = new Map<string, OptionBuilder>()
  for (const part of partsOf(recipe)) {
    const builder = builderOf(part)
    if (typeof builder === 'string') return builder
    builders.set(printRecipe(part), builder)
  }
  const builder = byFolderBuilder(builders) as OptionBuilder
  return { ...builder, build: (request) => checkedBuild(builder, request) }
}

/** A program that ends with 0 may have made nothing. */
async function checkedBuild(builder: OptionBuilder, request: BuildRequest): Promise<Built> {
  const built = await builder.build(request)
  requireMade(request, built)
  return built
}
