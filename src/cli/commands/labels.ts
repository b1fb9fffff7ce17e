import { labelsRequestSchema } from '../../contract/dto/labels'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { placeNamed } from '../archives'
import { checked, onlyPositional, readArguments, volumeNumbers } from '../arguments'
import { LABELS } from '../declarations/sets'
import { openSession, type Session } from '../session'
import { openSettings } from '../settings'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { copyNumber } from './copyArguments'

const PROBLEMS = {
  case: '--case takes cd, dvd or bd',
  out: '--out is longer than a path can be',
}

/** `stowage labels`: what to print for the discs of a plan. */
export async function labelsCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, LABELS)
  const given = onlyPositional(positionals, 'plan folder')
  if (values.out === undefined) throw new AppError('usage', '--out DIR is missing')
  await using session = openSession(out, { canDoWithout: true })
  const directory = await folderOf(given, session, out)
  const request = checked(
    labelsRequestSchema,
    {
      directory,
      out: absolutePath(values.out),
      volumes: volumeNumbers(values.volume),
      copy: copyNumber(values.copy, '--copy') ?? undefined,
      paper: (await openSettings(out)).used('paper', { option: '--paper', text: values.paper }).value,
      case: values.case,
      ...(values.font !== undefined && { font: absolutePath(values.font) }),
      force: values.force,
    },
    PROBLEMS,
  )
  const document = await session.engine.plan.labels(request)
  out.document(document)
  const { pdf, drawings, volumes, substituted } = document
  const made = `Made ${pathForDisplay(pdf)} with the labels of ${formatCounted(volumes, 'disc')}, and ${formatCounted(drawings.length, 'drawing')} (SVG) next to it.`
  out.lines(wrapped(made, '  '))
  out.lines(wrapped('Print at actual size (100 %), not fitted to the page.', '  '))
  const [first] = substituted
  if (first !== undefined)
    out.notes(
      wrapped(
        `the PDF shows ${formatCounted(substituted.length, 'name')} with letters as codes, such as ${pathForDisplay(first)}: its font lacks them; --font FILE gives one that has them`,
        '',
      ),
    )
  return EXIT.done
}

/** The folder of a plan that is named by its ID or its archive, or the path that is given. */
async function folderOf(given: string, session: Session, out: Terminal): Promise<string> {
  if (!/^p-[0-9a-f]+$/.test(given)) return placeNamed(given, out)
  const plan = (await session.engine.plan.list()).find(({ id }) => id === given)
  if (!plan) throw new AppError('not-found', `no plan ${given} in the catalog`)
  if (plan.directory !== null && plan.directoryExists) return plan.directory
  throw new AppError('not-found', `the folder of plan ${given} is not at hand: give its path`)
}
