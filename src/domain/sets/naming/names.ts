import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { MediumKind } from '../../media/medium'
import type { InventoryItem } from '../packing/inventory'
import type { PlanProblem } from '../planDocument'
import { nameBytes } from './nameBytes'

/** Rock Ridge keeps names of up to this many bytes, on images that other programs read too. */
const ISO_MAX_NAME_BYTES = 255
/** libisofs 1.5.4 refuses larger files at ISO level 3: 400 GiB less 200 KiB. */
export const ISO_MAX_FILE_BYTES = 400 * 2 ** 30 - 200 * 2 ** 10
/** The longest target that Linux can make a symlink of, and xorriso read one from. */
const ISO_MAX_TARGET_BYTES = 4095

/**
 * The names of an inventory that the volumes of a medium cannot hold, before it is packed. Image
 * volumes (ISO 9660 level 3 with Rock Ridge, and UDF): names of over 255 bytes and symlink
 * targets of over 4,095 are blocking; files over the format's limit are not, because packing splits
 * them at `ISO_MAX_FILE_BYTES`. Folder volumes: none, they hold all that the source held.
 */
export function namesPreflight(items: Iterable<InventoryItem>, mediumKind: MediumKind): PlanProblem[] {
  if (mediumKind === 'folder') return []
  const problems: PlanProblem[] = []
  for (const item of items) {
    const { path } = item
    const length = nameBytes(path.slice(path.lastIndexOf('/') + 1))
    if (length > ISO_MAX_NAME_BYTES) {
      problems.push({
        code: 'name-too-long',
        message: said`the name of ${pathForDisplay(path)} has ${length} bytes; a volume holds at most ${ISO_MAX_NAME_BYTES}`,
        path,
        blocking: true,
      })
    }
    if (item.kind === 'symlink' && (item.targetBytes ?? 0) > ISO_MAX_TARGET_BYTES) {
      problems.push({
        code: 'target-too-long',
        message: said`the target of the link ${pathForDisplay(path)} has ${item.targetBytes} bytes; a volume holds at most ${ISO_MAX_TARGET_BYTES}`,
        path,
        blocking: true,
      })
    }
    if (item.kind === 'file' && item.bytes > ISO_MAX_FILE_BYTES) {
      problems.push({
        code: 'file-too-large',
        message: said`${pathForDisplay(path)} has ${item.bytes} bytes; a file on a volume has at most ${ISO_MAX_FILE_BYTES}, so it is split`,
        path,
        blocking: false,
      })
    }
  }
  return problems
}

/**
 * The names of an inventory that a Mac's file system (APFS) cannot hold: names that are not UTF-8,
 * and names that differ only in upper and lower case or in the form of accents. All are blocking.
 */
export function macNames(items: Iterable<InventoryItem>): PlanProblem[] {
  const problems: PlanProblem[] = []
  const taken = new Map<string, string>()
  for (const { path } of items) {
    const shown = pathForDisplay(path)
    if (/[\ud800-\udfff]/u.test(path)) {
      const message = said`the name of ${shown} is not UTF-8, and a Mac's file system holds no other names; choose 7z or tar.zst`
      problems.push({ code: 'name-not-utf8', message, path, blocking: true })
      continue
    }
    const folded = path.normalize('NFD').toLowerCase()
    const other = taken.get(folded)
    if (other === undefined) taken.set(folded, path)
    else {
      const message = said`${shown} and ${pathForDisplay(other)} are one name on a Mac's file system; choose 7z or tar.zst`
      problems.push({ code: 'names-clash', message, path, blocking: true })
    }
  }
  return problems
}
