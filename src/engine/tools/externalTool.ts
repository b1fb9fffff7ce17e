/**
 * The room `tools` finds and runs other programs.
 * How: each program says how it is found, its version and how to get it; it runs without a shell,
 * in a process group that ends as a whole.
 * Not here: what builders, burners and checks ask of the programs.
 */

import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

/** Where an external program was found, and what it calls itself. */
export interface FoundTool {
  readonly path: string
  readonly version: string
}

/**
 * An external program that Stowage can use. Nothing else in the engine knows how it is found or
 * asked.
 */
export interface ExternalTool {
  readonly name: string
  /** The purpose that Stowage cannot serve without it, for people. */
  readonly neededFor: string
  /** How to get it, in one line. */
  readonly howToGet: string
  /**
   * Null when it is not on this machine. Looks anew every time: PATH may have changed. A signal can
   * stop slow ones.
   */
  find(signal?: AbortSignal): Promise<FoundTool | null>
}

/**
 * The program, or a refusal that says how to get it.
 * @throws AppError `tool-missing`, `cancelled`
 */
export async function requireTool(tool: ExternalTool, signal?: AbortSignal): Promise<FoundTool> {
  const found = await tool.find(signal)
  if (found) return found
  throw new AppError(
    'tool-missing',
    said`cannot find ${tool.name}, which is needed for ${tool.neededFor}; ${tool.howToGet}`,
  )
}
