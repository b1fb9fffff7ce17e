import type { MediumCandidates, OptionsRequest } from '../../contract/dto/options'
import { candidatesOf, VAULT_ENCRYPTION } from '../../domain/options/choice/candidates'
import type { Clock } from '../../primitives/clock'
import type { Catalog } from '../catalog/catalog'
import { optionsDocument } from './optionsDocument'

/**
 * Three named options for a survey's source, on each medium.
 * @throws AppError as `optionsDocument` does
 */
export async function optionCandidates(
  catalog: Catalog,
  clock: Clock,
  request: OptionsRequest,
): Promise<MediumCandidates[]> {
  const asked = await optionsDocument(catalog, clock, request)
  const encrypted =
    request.encryption === 'none'
      ? await optionsDocument(catalog, clock, { ...request, encryption: VAULT_ENCRYPTION })
      : asked
  return candidatesOf(asked, encrypted)
}
