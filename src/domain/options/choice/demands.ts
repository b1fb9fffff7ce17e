import { said } from '../../../primitives/said'
import type { OptionsRequest } from '../optionsDocument'
import { othersThanOwn, typesAsIs, withTypesAsIs } from '../recipes/asIs'
import { type MacImageKind, macImageKind } from '../recipes/macImage'
import type { Recipe } from '../recipes/recipe'

/** The demands on a build besides storing the files. */
export interface BuildDemands extends Readonly<Pick<OptionsRequest, 'encryption' | 'protection'>> {
  /** File types that have to be stored as they are, in addition to those that the recipe names. */
  readonly storeAsIs?: readonly string[] | undefined
}

/** The abilities of a builder besides storing the files; absent: none. */
export interface CarriesOut {
  readonly encryption?: readonly BuildDemands['encryption'][]
  readonly protection?: boolean
}

export const ENCRYPTION_NAMES = { 'aes-128': 'AES-128', 'aes-256': 'AES-256' } as const

/** The simplest option that can be encrypted so, for every source. */
const NEAREST = { 'aes-128': 'udzo', 'aes-256': '7z-files' } as const

/** Why a builder does not meet the demands on a recipe, in words; null where it does. */
export function unmetDemand(recipe: Recipe, carriesOut: CarriesOut, demands: BuildDemands): string | null {
  return unmet(carriesOut, demands) ?? notAsIs(recipe, demands)
}

/** hdiutil(1) takes both keys; diskutil(8), which makes ASIF, has AES-256 only. */
const MAC_IMAGES: Readonly<Record<MacImageKind, CarriesOut>> = {
  udrw: { encryption: ['aes-128', 'aes-256'] },
  udsp: { encryption: ['aes-128', 'aes-256'] },
  udsb: { encryption: ['aes-128', 'aes-256'] },
  asif: { encryption: ['aes-256'] },
}

/**
 * For a recipe that a script carries out on a Mac: the demand that it does not meet, in words, or
 * null. Undefined for any other recipe.
 */
export function unmetOnMac(recipe: Recipe, demands: BuildDemands): string | null | undefined {
  const kind = macImageKind(recipe)
  return kind ? unmetDemand(recipe, MAC_IMAGES[kind], demands) : undefined
}

function unmet(carriesOut: CarriesOut, { encryption, protection }: BuildDemands): string | null {
  if (encryption !== 'none' && !carriesOut.encryption?.includes(encryption)) {
    const others = (carriesOut.encryption ?? []).flatMap((each) =>
      each === 'none' ? [] : ENCRYPTION_NAMES[each],
    )
    const why =
      others.length === 0
        ? said`it cannot be encrypted`
        : said`it can be encrypted with ${others.join(' or ')} only`
    return said`${why} (${ENCRYPTION_NAMES[encryption]} is requested); ${NEAREST[encryption]} can`
  }
  if (protection > 0 && carriesOut.protection !== true)
    return said`Stowage cannot add redundancy to it yet (${Number((protection * 100).toFixed(1))} % is requested)`
  return null
}

/** Why the types that have to be stored as they are cannot be, in words; null where they can. */
function notAsIs(recipe: Recipe, { storeAsIs = [] }: BuildDemands): string | null {
  const asked = withTypesAsIs(recipe, [...typesAsIs(recipe), ...othersThanOwn(recipe, storeAsIs)])
  return 'refusal' in asked ? asked.refusal : null
}
