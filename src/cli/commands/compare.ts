import { EXIT } from '../../primitives/exitCode'
import { noPositionals, readArguments } from '../arguments'
import { COMPARE } from '../declarations/options'
import { openSession } from '../session'
import { saveTable } from '../shape/savedTable'
import type { Terminal } from '../terminal'
import { compareCsv, printComparison } from './compareReport'

/** `stowage compare`: forecast vs. actual, of everything that was built here. */
export async function compareCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, COMPARE)
  noPositionals(positionals, 'compare')
  await using session = openSession(out)
  const document = await session.engine.options.compare()
  await saveTable(values, session, 'comparison', () => compareCsv(document), out)
  out.document(document)
  printComparison(document, values.all, out)
  return EXIT.done
}
