import { existsSync } from 'node:fs'
import type { QueuedVolume, QueueRequest, RestoreQueue } from '../../contract/dto/restoreQueue'
import { QUEUE_TABLE } from '../../contract/tables/catalogTables'
import type { DeclaredTable } from '../../contract/tables/declaredTable'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatForecast } from '../../primitives/spokenTime'
import { placesNamed } from '../archives'
import type { ValuesOf } from '../arguments'
import type { RESTORE } from '../declarations/sets'
import { withPassword } from '../passwords'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { listedFiles } from './listedFiles'

const SHOWN = 20
const LOST_SHOWN = 5
const EVERY = 1_000_000

/**
 * `stowage restore --list-volumes`: what a restore needs, and where it is. Exit code 4 where some
 * of the files cannot be restored.
 */
export async function listVolumes(
  values: ValuesOf<typeof RESTORE>,
  given: readonly string[],
  out: Terminal,
): Promise<number> {
  const isPlan = (word: string): boolean => /^p-[0-9a-f]{12}$/.test(word) && !existsSync(word)
  const planIds = given.filter(isPlan)
  const volumes = await placesNamed(
    given.filter((word) => !isPlan(word)),
    out,
  )
  if (planIds.length > 0 && volumes.length > 0)
    throw new AppError('usage', 'give plans by their IDs, or volumes and plan folders, not both')
  const request = {
    volumes,
    planIds,
    files: values.files ?? [],
    listed: await listedFiles(values),
    given: [],
    without: [],
    near: null,
    resumes: false,
    force: false,
    trust: false,
    limit: values.all || values.json ? EVERY : LOST_SHOWN,
    ...(values['as-of'] === undefined ? {} : { asOf: values['as-of'] }),
  }
  await using session = openSession(out, { canDoWithout: volumes.length > 0 })
  const queue = await withPassword(values, volumes[0] ?? '', async (password): Promise<RestoreQueue> => {
    return session.engine.restore.queue({ ...request, password } satisfies QueueRequest)
  })
  out.document(queue)
  printQueue(
    queue,
    {
      isAll: values.all,
      to: values.to ?? 'restored',
      given: volumes.map(typedPath),
      choice: choiceOf(values),
    },
    out,
  )
  return queue.lostFiles > 0 ? EXIT.cannotFit : EXIT.done
}

interface Shown {
  readonly isAll: boolean
  readonly to: string
  readonly given: readonly string[]
  /** The options that choose the files. */
  readonly choice: readonly string[]
}

function choiceOf(values: ValuesOf<typeof RESTORE>): string[] {
  const { files = [], 'files-from': from, 'files0-from': from0, 'as-of': asOf } = values
  return [
    ...files.flatMap((pattern) => ['--files', pattern]),
    ...(from === undefined ? [] : ['--files-from', from]),
    ...(from0 === undefined ? [] : ['--files0-from', from0]),
    ...(asOf === undefined ? [] : ['--as-of', asOf]),
  ]
}

function printQueue(queue: RestoreQueue, { isAll, to, given, choice }: Shown, out: Terminal): void {
  const { volumes, lost, lostFiles, lostBytes, fewest, isFewest, mayBeNewer = [] } = queue
  out.lines(wrapped(conclusion(queue), '  '))
  if (mayBeNewer.length > 0) {
    const unread = mayBeNewer.map(pathForDisplay).join(', ')
    out.notes(wrapped(`A newer generation may be on ${unread}: no list on it can be read.`, '  '))
  }
  if (!isFewest)
    out.lines(
      wrapped(`${formatCount(fewest)} would be the fewest possible; the search for fewer ended early.`, '  '),
    )
  if (lostFiles > 0) {
    const files = formatCounted(lostFiles, 'file')
    out.lines(
      wrapped(
        `${files} (${formatSize(lostBytes)}) cannot be restored: every copy is lost, or none was made.`,
        '  ',
      ),
    )
    const { shown, rest } = firstRows(lost, isAll ? EVERY : LOST_SHOWN, '--all')
    for (const { path, labels } of shown)
      out.line(`    ${pathForDisplay(path)}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`)
    const more = lostFiles - lost.length
    out.lines(more > 0 ? [`and ${formatCount(more)} more: --all`] : rest, '    ')
  }
  if (volumes.length === 0) return
  out.line()
  const { shown, rest } = firstRows(volumes, isAll ? EVERY : SHOWN, '--all')
  const keys = ['at', 'label', 'copy', 'place', 'state', 'files', 'bytes', 'time'] as const
  out.lines(
    tableLines(
      QUEUE,
      keys,
      shown.map((volume, at) => Object.assign({ at: at + 1 }, volume)),
    ),
    '  ',
  )
  out.lines(rest, '  ')
  out.line()
  const here = volumes.flatMap(({ path }) => path ?? [])
  if (here.length < volumes.length)
    out.lines(
      nextCommand('With each of them in this order:', ['restore', ...given, 'DISC', ...choice, '--to', to]),
    )
  else
    out.lines(
      nextCommand('To restore:', ['restore', ...(given.length > 0 ? given : here), ...choice, '--to', to]),
    )
}

function conclusion(queue: RestoreQueue): string {
  const { volumes, places, files, bytes, seconds } = queue
  if (volumes.length === 0)
    return files === 0 ? 'None of these files can be restored.' : 'No volume is needed.'
  const count = formatCounted(volumes.length, 'volume')
  const away = volumes.filter(({ path }) => path === null)
  const where =
    away.length === 0
      ? `${volumes.length === 1 ? 'is' : 'are'} here`
      : `from ${formatCounted(places, 'place')}${away.length < volumes.length ? ` (${formatCount(volumes.length - away.length)} here)` : ''}`
  const time = seconds === null ? '' : `, ${formatForecast(seconds.value)} of reading`
  return `${count} ${where}${time}, for ${formatCounted(files, 'file')} (${formatSize(bytes)}).`
}

/** The volumes with their places in the order. */
const QUEUE = {
  ...QUEUE_TABLE,
  at: { heading: 'position', kind: 'ordinal', of: ({ at }) => at },
} satisfies DeclaredTable<QueuedVolume & { readonly at: number }, string>
