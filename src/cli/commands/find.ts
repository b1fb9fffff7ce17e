import type { FoundFile } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatSize } from '../../primitives/quantity'
import { onlyPositional, readArguments } from '../arguments'
import { FIND } from '../declarations/catalog'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { textTable } from '../textTable'

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
      out.line(needed)
    }
    if (found.length === limit) out.note(`only the first ${limit} are shown; --limit shows more`)
    return EXIT.done
  } finally {
    await session.close()
  }
}

/** Which volumes hold what was found, plan by plan; null when it is on none. */
function volumesNeeded(found: readonly FoundFile[]): string | null {
  const plans = new Map<string, Map<number, string>>()
  for (const { volume } of found) {
    if (volume === null) continue
    const labels = plans.get(volume.planId) ?? new Map<number, string>()
    plans.set(volume.planId, labels.set(volume.index, volume.label))
  }
  if (plans.size === 0) return null
  const sets = [...plans].map(([planId, labels]) => {
    const names = [...labels].toSorted(([a], [b]) => a - b).map(([, label]) => label)
    const count = names.length === 1 ? 'disc' : `${formatCount(names.length)} discs:`
    return `${count} ${names.join(', ')} (plan ${planId})`
  })
  return `To restore these files you need ${sets.join(', or ')}.`
}
