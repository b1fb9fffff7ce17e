import type { BrowserWindow } from 'electron'
import { expect, it } from 'vitest'
import type { JobProgress } from '../../../../src/contract/dto/job'
import { openPageChannel } from '../../../../src/main/ipc/pageChannel'

it('reports to a page that was loaded anew what runs and what it waits for', () => {
  const sent: [string, unknown][] = []
  const webContents = { send: (channel: string, payload: unknown) => void sent.push([channel, payload]) }
  const window = { isDestroyed: () => false, webContents } as unknown as BrowserWindow
  const page = openPageChannel(() => window)
  const progress = { jobId: 'j1', kind: 'write', waitingFor: { kind: 'disc' } } as JobProgress
  page.forward('app.engineState', { state: 'ready' })
  expect(sent).toEqual([])
  page.open([])
  expect(sent.splice(0)).toEqual([['app.engineState', { state: 'ready' }]])
  page.open([
    { jobId: 'j1', kind: 'write', progress },
    { jobId: 'j2', kind: 'survey', progress: null },
  ])
  expect(sent).toEqual([['job.progress', progress]])
})
