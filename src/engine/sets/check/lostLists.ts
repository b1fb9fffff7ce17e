import type { CheckedVolume } from '../../../contract/dto/check'
import { ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { joinPath } from '../../files/fileSystem'
import { judgedDamage } from '../recovery/judgedDamage'
import { recoveryPlaces } from '../recovery/recoveryPlaces'
import { foundLists } from '../volume/lists/foundLists'
import type { Volume } from '../volume/lists/volume'
import type { FileDifference } from '../volume/open/difference'
import { INDEX_NAME, SUMS_NAME } from '../volume/planned/ownNames'

/**
 * Judges a volume whose lists can neither be read nor repaired: its recovery data shows that it is
 * one.
 * @returns null where there is no recovery data
 * @throws AppError `io`, `cancelled`
 */
export async function lostLists(
  files: Volume,
  signal: AbortSignal,
): Promise<(Pick<CheckedVolume, 'recovery'> & { readonly differences: FileDifference[] }) | null> {
  const found = await foundLists(files).catch(() => null)
  const places = found && (await recoveryPlaces(files, found.own, signal))
  if (!places || places.length === 0) return null
  const own = found.own ?? ownFolderName([])
  const damaged = [INDEX_NAME, SUMS_NAME].map((name) => joinPath(own, name))
  const read = { damaged, isRight: () => false, digests: new Map<string, string>() }
  const { blocks } = await judgedDamage({ files, own }, read, places, { signal })
  return {
    differences: damaged.map((path) => ({ path, code: 'lost-list' })),
    ...(blocks && { recovery: blocks }),
  }
}
