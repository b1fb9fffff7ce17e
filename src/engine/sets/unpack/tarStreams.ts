import { AppError } from '../../../primitives/appError'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { runTool, type ToolResult, type ToolRun } from '../../tools/runTool'
import { TarReader } from './tarReader'
import type { Unpacking } from './unpacker'

/**
 * Takes members out of a tar stream, and reads no further than they are. Whoever gives the stream says how much of it is read.
 * @throws as `TarReader` and the stream do
 */
export async function unpackTar(
  stream: AsyncIterable<Uint8Array>,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<void> {
  const reader = new TarReader(members, { ...work, onBytes: () => undefined })
  try {
    for await (const chunk of stream) {
      throwIfAborted(work.signal)
      await reader.push(chunk)
      if (reader.isDone) return work.onShare(1)
    }
    await reader.end()
  } finally {
    await reader.close()
  }
}

/**
 * Takes members out of the tar stream that a program writes, and ends it when they are all there.
 * @returns how the program ended, null if it was not needed to its end; and further names whose first was not wanted
 * @throws AppError `cancelled`, `tool-missing`, and as `TarReader`
 */
export async function unpackToolTar(
  program: string,
  args: readonly string[],
  run: ToolRun,
  members: ReadonlySet<string>,
  work: Unpacking,
): Promise<{ result: ToolResult | null; links: ReadonlyMap<string, string> }> {
  let done = 0
  const onBytes = (bytes: number): void => work.onShare((done += bytes) / work.bytes)
  const reader = new TarReader(members, { ...work, onBytes })
  const enough = new AbortController()
  try {
    const result = await runTool(program, args, {
      ...run,
      signal: AbortSignal.any([work.signal, enough.signal]),
      async onOutput(chunk) {
        await reader.push(chunk)
        if (reader.isDone) enough.abort()
      },
    })
    if (result.exitCode === 0) await reader.end()
    return { result, links: reader.links }
  } catch (thrown) {
    throwIfAborted(work.signal)
    if (!(enough.signal.aborted && thrown instanceof AppError && thrown.code === 'cancelled')) throw thrown
    return { result: null, links: reader.links }
  } finally {
    await reader.close()
  }
}
