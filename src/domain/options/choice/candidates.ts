import { said } from '../../../primitives/said'
import {
  type Candidate,
  type MediumCandidates,
  type Option,
  type OptionsDocument,
  SYSTEMS,
} from '../optionsDocument'
import { isNoticeablySmaller, noticedGain } from './noticed'
import { plainFiles } from './plainFiles'

/** The encryption of the encrypted vault where none is requested. */
export const VAULT_ENCRYPTION = 'aes-256'

/** A candidate before it is compared with the others. */
type Named = Omit<Candidate, 'recommended' | 'gain'>

/**
 * Options that a person knows by name, on each medium of the request: plain files, the smallest
 * packing, the best encrypted one, and before them the recommended one where it is none of these.
 * The smallest is one only where a person notices that it is smaller than the others, or where it
 * is recommended; the recommended one yields to a simpler one by the rules of `choose` already.
 * Each can be planned here and meets the limits; where there is none, its candidate says why. The
 * vault is first where encryption is requested.
 * @param asked the options as requested
 * @param encrypted those of the same request with encryption: the same list where encryption is
 *   requested already
 */
export function candidatesOf(asked: OptionsDocument, encrypted: OptionsDocument): MediumCandidates[] {
  return asked.request.mediumIds.map((medium) => {
    const best = recommendedOn(asked, asked.request.goal, medium)
    const plain = plainOn(asked, medium, best?.option ?? null)
    const vault = vaultOn(encrypted, medium)
    const smallest = smallestOn(asked, medium, plain, vault, best?.option ?? null)
    const isSecret = asked.request.encryption !== 'none'
    const marked = ({ kind, option, because }: Named): Candidate => ({
      kind,
      option,
      because,
      recommended: isSame(option, best?.option ?? null),
      gain: option && plain.option ? noticedGain(option, plain.option) : null,
    })
    const named = (isSecret ? [vault, smallest, plain] : [plain, smallest, vault]).map(marked)
    const isNamed = best === null || named.some(({ recommended }) => recommended)
    return { medium, candidates: isNamed ? named : [marked({ kind: 'best', ...best }), ...named] }
  })
}

/** An option by itself and encrypted has one ID. */
function isSame(one: Option | null, other: Option | null): boolean {
  return one !== null && one.id === other?.id && one.encryption === other.encryption
}

function plainOn({ options, request }: OptionsDocument, medium: string, best: Option | null): Named {
  const usual = plainFiles(
    options.filter((each) => each.medium === medium && each.plan.form === 'plain' && isPlanned(each)),
  )
  const option = best?.plan.form === 'plain' ? best : usual
  if (option) {
    const once = option.reduction === 'duplicates' ? said`, identical ones stored once` : ''
    const because = said`Every file as it is${once}: nothing to unpack, nothing to install.`
    return { kind: 'plain', option, because }
  }
  const because =
    request.encryption === 'none'
      ? said`Plain files exceed a limit that was set.`
      : said`Plain files are not encrypted.`
  return { kind: 'plain', option: null, because }
}

function smallestOn(
  asked: OptionsDocument,
  medium: string,
  plain: Named,
  vault: Named,
  best: Option | null,
): Named {
  const found = recommendedOn(asked, 'smallest', medium)
  const none = (because: string): Named => ({ kind: 'smallest', option: null, because })
  if (found === null) return none(said`No option meets the limits.`)
  const isBest = isSame(found.option, best)
  const isSecret = asked.request.encryption !== 'none'
  const others = [
    { option: plain.option, because: said`Nothing is noticeably smaller than plain files.` },
    {
      option: isSecret ? vault.option : null,
      because: said`Nothing is noticeably smaller than the encrypted vault.`,
    },
    {
      option: isBest ? null : best,
      because: said`Nothing is noticeably smaller than the recommended option.`,
    },
  ]
  const asGood = others.find(
    ({ option }) =>
      option !== null &&
      (option.id === found.option.id || (!isBest && !isNoticeablySmaller(found.option, option))),
  )
  if (asGood && asked.preliminary) return none(said`Of what a sample tells, nothing is noticeably smaller.`)
  if (asGood) return none(asGood.because)
  return { kind: 'smallest', ...found }
}

function vaultOn(encrypted: OptionsDocument, medium: string): Named {
  const best = recommendedOn(encrypted, encrypted.request.goal, medium)
  const widest = recommendedOn(encrypted, 'anywhere', medium)
  // Whoever opens the vault one day has a computer and a password, not the program that made it.
  const found = best !== null && widest !== null && !opensAnywhere(best.option) ? widest : best
  if (found !== null) return { kind: 'vault', ...found }
  return {
    kind: 'vault',
    option: null,
    because: said`No option that Stowage can encrypt here meets the limits.`,
  }
}

/** Every system opens it with a common program: a repository needs the one that made it. */
function opensAnywhere({ plan, ways }: Option): boolean {
  return plan.form !== 'repository' && SYSTEMS.every((system) => ways.some((way) => way.system === system))
}

function recommendedOn(
  { recommended, options }: OptionsDocument,
  goal: string,
  medium: string,
): { option: Option; because: string } | null {
  const best = recommended.find((each) => each.goal === goal && each.medium === medium)
  const option = options.find(({ id }) => id === best?.id)
  return best && option && isPlanned(option) ? { option, because: best.because } : null
}

function isPlanned({ plan, breaks }: Option): boolean {
  return plan.form !== null && breaks.length === 0
}
