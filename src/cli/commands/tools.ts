import { toolsReport } from '../../engine/tools/toolsReport'
import { EXIT } from '../../primitives/exitCode'
import { readArguments } from '../arguments'
import { TOOLS } from '../declarations/catalog'
import { textTable } from '../shape/textTable'
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
  const rows = tools.map(({ name, version, neededFor }) => [name, version ?? 'not found', neededFor])
  out.lines(textTable(['tool', 'version', 'needed for'], rows, []), '  ')
  if (missing.length > 0) out.line()
  for (const { name, howToGet } of missing) {
    out.lines(wrapped(`To get ${name}: ${howToGet}`, '  '))
  }
  return EXIT.done
}
