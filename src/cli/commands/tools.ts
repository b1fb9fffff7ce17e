import type { TableColumn } from '../../contract/tables/declaredTable'
import { toolsReport } from '../../engine/tools/toolsReport'
import { EXIT } from '../../primitives/exitCode'
import { readArguments } from '../arguments'
import { TOOLS } from '../declarations/catalog'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

export async function toolsCommand(args: readonly string[], out: Terminal): Promise<number> {
  readArguments(args, TOOLS)
  const tools = await toolsReport()
  out.document({ schema: 'stowage.tools/1', tools })
  const missing = tools.filter(({ version }) => version === null)
  const names = missing.map(({ name }) => name).join(', ')
  out.line(
    missing.length === 0
      ? `All ${tools.length} external programs are installed.`
      : `${missing.length} of ${tools.length} external programs are missing: ${names}.`,
  )
  out.line()
  out.lines(ownTableLines(TOOL_COLUMNS, tools), '  ')
  if (missing.length > 0) out.line()
  for (const { name, howToGet } of missing) {
    out.lines(wrapped(`To get ${name}: ${howToGet}`, '  '))
  }
  return EXIT.done
}

const TOOL_COLUMNS: readonly TableColumn<Awaited<ReturnType<typeof toolsReport>>[number], string>[] = [
  { heading: 'tool', kind: 'words', of: ({ name }) => name },
  { heading: 'version', kind: 'words', of: ({ version }) => version ?? 'not found' },
  { heading: 'needed for', kind: 'words', of: ({ neededFor }) => neededFor },
]
