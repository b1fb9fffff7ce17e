import { runTool } from '../../src/engine/tools/runTool'
import { type ToolMeter, type ToolUse, toolMeter } from '../../src/engine/tools/toolMeter'

/** Takes 150 MB and 0.4 s of a processor; says in the end what it took by its own account. */
const WORK = `const a = Buffer.alloc(150e6, 1); const end = process.cpuUsage().user + 4e5; while (process.cpuUsage().user < end);
const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)`

/** A program that a program started, under a meter, and the CPU time that it says it took. */
export async function meteredWork(): Promise<{ meter: ToolMeter; used: ToolUse; toldSeconds: number }> {
  const meter = toolMeter()
  const script = '"$1" -e "$2"; exit 0'
  const { output } = await runTool('/bin/sh', ['-c', script, 'sh', process.execPath, WORK], {
    onStart: (pid) => meter.watch(pid),
  })
  return { meter, used: meter.end(), toldSeconds: Number(output) }
}
