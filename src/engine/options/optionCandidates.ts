import type { MediumCandidates, OptionsRequest } from '../../contract/dto/options'
import { candidatesOf, VAULT_ENCRYPTION } from '../../domain/options/choice/candidates'
import type { Clock } from '../../primitives/clock'
import type { Looks } from './optionSource'
import { type OptionsCatalog, type OptionsMachine, optionsDocument } from './optionsDocument'

/**
 * Three named options for a survey's source, on each medium.
 * @throws AppError as `optionsDocument` does
 */
export async function optionCandidates(
  catalog: OptionsCatalog,
  clock: Clock,
  request: OptionsRequest,
  machine: OptionsMachine,
  looks?: Looks,
): Promise<MediumCandidates[]> {
  const asked = await optionsDocument(catalog, clock, request, machine, looks)
  const encrypted =
    request.encryption === 'none'
      ? await optionsDocument(catalog, clock, { ...request, encryption: VAULT_ENCRYPTION }, machine, looks)
      : asked
  return candidatesOf(asked, encrypted)
}
