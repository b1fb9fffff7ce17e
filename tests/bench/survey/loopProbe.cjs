/** Loaded into the engine before anything else: says at its end for how long its JavaScript thread could not answer. */
const { monitorEventLoopDelay } = require('node:perf_hooks')
const { writeFileSync } = require('node:fs')

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
process.on('exit', () => {
  const ms = (nanoseconds) => Math.round(nanoseconds / 1e5) / 10
  const usage = process.resourceUsage()
  writeFileSync(
    process.env.STOWAGE_BENCH_PROBE,
    JSON.stringify({
      longestMs: ms(delay.max),
      p999Ms: ms(delay.percentile(99.9)),
      peakRssBytes: usage.maxRSS * 1024,
    }),
  )
})
