import { absolutePath } from '../../files/absolutePath'
import { pathForDisplay } from '../../primitives/pathText'
import type { Session } from '../session'
import type { Terminal } from '../terminal'

/** Saves the lines of a table where `--csv` asks for it, and says so; `what` is in it. */
export async function saveTable(
  { csv, force }: { readonly csv?: string | undefined; readonly force: boolean },
  session: Session,
  what: string,
  lines: () => Iterable<string>,
  out: Terminal,
): Promise<void> {
  if (csv === undefined) return
  const file = absolutePath(csv)
  await session.saveFile(file, force, lines)
  out.note(`${what} saved as ${pathForDisplay(file)}`)
}
