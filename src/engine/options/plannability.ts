import type { Option } from '../../contract/dto/options'
import { type BuildDemands, unmetOnMac } from '../../domain/options/choice/demands'
import type { OptionRow } from '../../domain/options/choice/option'
import type { MediumFacts } from '../../domain/options/facts'
import { parseRecipe } from '../../domain/options/recipes/recipe'
import { packedForm } from '../../domain/sets/packedForm'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'

/**
 * The form in which a plan of an option packs the files, and why there is none where it cannot be
 * built or does not fit. Options that only a Mac builds can be planned everywhere. Planning itself
 * counts the lists on each volume too, so a repository that just fits here may still be refused
 * there.
 */
export function planOf(
  { variant, estimate }: Pick<OptionRow, 'variant' | 'estimate'>,
  build: Option['build'],
  medium: MediumFacts,
  demands: BuildDemands,
): Option['plan'] {
  const recipe = parseRecipe(variant)
  const form = recipe && packedForm(recipe, medium.kind === 'image' ? 'image' : 'folder')
  const onMac = recipe ? unmetOnMac(recipe, demands) : undefined
  if (typeof onMac === 'string') return { form: null, because: onMac }
  if (onMac === undefined && !build.possible) return { form: null, because: build.because }
  if (form === null || typeof form === 'string')
    return { form: null, because: form ?? said`it is only forecast` }
  const { high } = estimate.bytes
  const isOnePiece = form.kind === 'repository' || form.kind === 'macImage'
  if (isOnePiece && medium.capacityBytes !== null && high > medium.capacityBytes) {
    const because = said`it may have ${formatSize(high)} and must be on one volume`
    return { form: null, because }
  }
  return { form: form.kind, because: null }
}
