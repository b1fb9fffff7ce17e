import type { FoundFile, VolumeState } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatSize } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { onlyPositional, readArguments } from '../arguments'
import { FIND } from '../declarations/catalog'
import { openSession } from '../session'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

export async function findCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FIND)
  const pattern = onlyPositional(positionals, 'pattern')
  const limit = Number(values.limit)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 10_000) {
    throw new AppError('usage', `--limit takes a number from 1 to 10000, not "${values.limit}"`)
  }
  const session = openSession(out)
  try {
    const found = await session.engine.catalog.find({ pattern, limit })
    out.document({ schema: 'stowage.find/1', pattern, files: found })
    if (found.length === 0) {
      out.note(`no file matches "${pathForDisplay(pattern)}"`)
      return EXIT.notDone
    }
    const rows = found.map((file) => [
      file.volume
        ? `${file.volume.label} (disc ${file.volume.index} of plan ${file.volume.planId})`
        : 'not on a volume yet',
      formatSize(file.bytes),
      pathForDisplay(file.path),
    ])
    for (const line of textTable(['volume', 'size', 'path'], rows, [1])) out.line(line)
    const needed = volumesNeeded(found)
    if (needed !== null) {
      out.line()
      for (const line of discStates(found)) out.line(line)
      out.line()
      out.line(needed)
    }
    if (found.length === limit) out.note(`only the first ${limit} are shown; --limit shows more`)
    return EXIT.done
  } finally {
    await session.close()
  }
}

/** One line for each disc that holds something of what was found: which it is, and when it was made. */
function discStates(found: readonly FoundFile[]): Set<string> {
  return new Set(
    found.flatMap(({ volume }) =>
      volume === null
        ? []
        : `${volume.label}, disc ${volume.index} of plan ${volume.planId}: ${stateText(volume.state)}`,
    ),
  )
}

function stateText({ plannedWallMs, builtWallMs, verifiedWallMs, failedWallMs }: VolumeState): string {
  if (failedWallMs !== null) return `verification failed ${formatDay(failedWallMs)}`
  const steps = [
    ...(builtWallMs === null ? [] : [`built ${formatDay(builtWallMs)}`]),
    ...(verifiedWallMs === null ? [] : [`verified ${formatDay(verifiedWallMs)}`]),
  ]
  return steps.length === 0 ? `planned ${formatDay(plannedWallMs)}` : steps.join(', ')
}

/** Which volumes are needed for what was found, plan by plan; null when it is on none. */
function volumesNeeded(found: readonly FoundFile[]): string | null {
  const plans = new Map<string, Map<string, number>>()
  for (const { volume } of found) {
    if (volume === null) continue
    const labels = plans.get(volume.planId) ?? new Map<string, number>()
    plans.set(volume.planId, labels)
    if (volume.needs) for (const [at, label] of volume.needs.entries()) labels.set(label, at)
    else labels.set(volume.label, volume.index)
  }
  if (plans.size === 0) return null
  const sets = [...plans].map(([planId, labels]) => {
    const names = [...labels].toSorted(([, a], [, b]) => a - b).map(([label]) => label)
    const count = names.length === 1 ? 'disc' : `${formatCount(names.length)} discs:`
    return `${count} ${names.join(', ')} (plan ${planId})`
  })
  return `To restore these files you need ${sets.join(', or ')}.`
}
