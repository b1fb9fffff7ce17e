import { resolve } from 'node:path'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { readArguments } from '../arguments'
import { COMPARE } from '../declarations/options'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { compareCsv, printComparison } from './compareReport'

/** `stowage compare`: forecast vs. actual, of everything that was built here. */
export async function compareCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, COMPARE)
  if (positionals.length > 0)
    throw new AppError('usage', `compare takes no arguments: ${positionals.join(' ')}`)
  const session = openSession(out)
  try {
    const document = await session.engine.options.compare()
    if (values.csv !== undefined) {
      const csv = resolve(values.csv)
      await session.saveFile(csv, values.force, () => compareCsv(document))
      out.note(`comparison saved as ${pathForDisplay(csv)}`)
    }
    out.document(document)
    printComparison(document, values.all, out)
    return EXIT.done
  } finally {
    await session.close()
  }
}
