import { toolsReport } from '../../engine/tools/toolsReport'
import { EXIT } from '../../primitives/exitCode'
import { readArguments } from '../arguments'
import { TOOLS } from '../declarations/catalog'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

export async function toolsCommand(args: readonly string[], out: Terminal): Promise<number> {
  readArguments(args, TOOLS)
  const tools = await toolsReport()
  out.document({ schema: 'stowage.tools/1', tools })
  const rows = tools.map((tool) => [
    tool.name,
    tool.version ?? 'not found',
    tool.neededFor,
    tool.version ? '' : tool.howToGet,
  ])
  for (const line of textTable(['tool', 'version', 'needed for', 'how to get it'], rows, [])) out.line(line)
  return EXIT.done
}
