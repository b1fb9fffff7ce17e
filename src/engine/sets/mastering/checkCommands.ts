import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import { xorrisoStartOptions } from '../../tools/xorriso'
import { lastNamesFirst, withParents } from '../../tools/xorrisoList'
import { listOfVolume } from '../export/writeVolumes'
import type { PlanFolder } from '../volume/planFolder'
import type { PlannedVolume } from '../volume/plannedVolume'

/**
 * xorriso's commands can write anywhere, and a plan's folder may come from anyone: only what this
 * program makes of the plan itself is carried out.
 * @throws AppError `bad-input`
 */
export async function checkCommands({ plan, directory }: PlanFolder, volume: PlannedVolume): Promise<void> {
  const path = joinPath(directory, volume.places.list)
  const found = await attempt('read', path, readFile(fsPath(path)))
  const options = xorrisoStartOptions(plan.mastering.volumeDateWallMs)
  // Older versions exported the entries in another order.
  const lists = [lastNamesFirst, withParents].map((order) => listOfVolume(plan, volume, order))
  if (isDeepStrictEqual(plan.mastering.options, options) && lists.some((list) => isText(found, list))) return
  const shown = pathForDisplay(path)
  const message = said`cannot use ${shown}: its commands do not match this plan; export it again`
  throw new AppError('bad-input', message, { path })
}

function isText(found: Buffer, lines: Iterable<string>): boolean {
  let position = 0
  for (const line of lines) {
    const bytes = textBytes(line)
    if (!found.subarray(position, position + bytes.length).equals(bytes)) return false
    position += bytes.length
  }
  return position === found.length
}
