import type { Option } from '../../contract/dto/options'
import type { Clock } from '../../primitives/clock'
import { builderOf } from '../builders/registry'
import type { ExternalTool, FoundTool } from '../tools/externalTool'

/** Programs come and go, but not while somebody moves a slider. */
const REMEMBERED_MS = 30_000
const found = new Map<ExternalTool, { readonly untilMs: number; readonly tool: Promise<FoundTool | null> }>()

/** For each variant whether it can be built here, and why not. Looks for programs anew after half a minute. */
export async function buildability(
  variants: readonly string[],
  clock: Clock,
): Promise<Map<string, Option['build']>> {
  const answers = await Promise.all(
    variants.map(
      async (variant): Promise<[string, Option['build']]> => [variant, await answer(variant, clock)],
    ),
  )
  return new Map(answers)
}

async function answer(variant: string, clock: Clock): Promise<Option['build']> {
  const builder = builderOf(variant)
  if (!builder) return { possible: false, because: 'Stowage has no builder for it' }
  const refusal = builder.refuses(variant)
  if (refusal !== null) return { possible: false, because: refusal }
  if (builder.tool === null || (await remembered(builder.tool, clock)) !== null)
    return { possible: true, because: null }
  return { possible: false, because: `${builder.tool.name} is not on this machine: ${builder.tool.howToGet}` }
}

function remembered(tool: ExternalTool, clock: Clock): Promise<FoundTool | null> {
  const nowMs = clock.monotonicMs()
  const known = found.get(tool)
  if (known && known.untilMs > nowMs) return known.tool
  const asked = tool.find().catch(() => null)
  found.set(tool, { untilMs: nowMs + REMEMBERED_MS, tool: asked })
  return asked
}
