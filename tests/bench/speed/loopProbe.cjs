/** Loaded into the engine before anything else: says at its end for how long its JavaScript thread could not answer. */
const { monitorEventLoopDelay } = require('node:perf_hooks')
const { writeFileSync } = require('node:fs')

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
/**
 * On a machine with other work the thread also waits for its turn; its own processor time between two ticks is what it was busy
 * for, whatever else runs: at most a tick and one stretch of work.
 */
let longestCpuMs = 0
/** Begins with the first tick: loading the engine is before it. */
let cpu = null
setInterval(() => {
  const { user, system } = cpu === null ? { user: 0, system: 0 } : process.threadCpuUsage(cpu)
  cpu = process.threadCpuUsage()
  longestCpuMs = Math.max(longestCpuMs, (user + system) / 1000)
}, RESOLUTION_MS).unref()

process.on('exit', () => {
  const ms = (nanoseconds) => Math.round(nanoseconds / 1e5) / 10
  const usage = process.resourceUsage()
  writeFileSync(
    process.env.STOWAGE_BENCH_PROBE,
    JSON.stringify({
      longestMs: ms(delay.max),
      longestCpuMs: Math.round(longestCpuMs * 10) / 10,
      p999Ms: ms(delay.percentile(99.9)),
      peakRssBytes: usage.maxRSS * 1024,
    }),
  )
})
