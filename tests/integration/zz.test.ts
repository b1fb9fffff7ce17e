import { test } from 'vitest'
import { join } from 'node:path'
import { openBench, temporaryFolder } from '../support/archiveRun'
test('perf', async () => {
  const f = temporaryFolder('perf')
  const b = openBench(join(f.path, 'data'))
  const t = async <T>(n: string, p: Promise<T>): Promise<T> => { const s = performance.now(); try { return await p } finally { console.log(n, Math.round(performance.now() - s), 'ms', Math.round(process.memoryUsage().rss/1e6), 'MB') } }
  try {
    const s = await t('survey', b.survey(['/tmp/tl/x/many']))
    const p = await t('plan', b.plan(s, 'cd-700'))
    if (Date.now() > 0) return
    console.log(p.volumes.map((v) => [v.sectors, v.capacitySectors, v.files]))
    const d = join(f.path, 'plan')
    await t('export', b.export(p.id, d))
    console.log((await t('build', b.build(d))).error)
    console.log((await t('verify', b.verify(d))).error)
  } finally { b.close(); f.dispose() }
}, 300000)
