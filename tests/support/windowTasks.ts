import { readFile, rm } from 'node:fs/promises'
import type { Browser, ElectronApplication, Page } from 'playwright-core'

/** One task of the page's main thread: what the window could not answer during. Milliseconds. */
export interface PageTask {
  /** From the start of the recording. */
  readonly startMs: number
  readonly wallMs: number
  /** CPU time of the thread: without the time in which other programs had the core. */
  readonly cpuMs: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const TASK = 'ThreadControllerImpl::RunTask'

const CATEGORIES = ['toplevel', '__metadata']

/** Begins a recording; what it returns ends it. */
export type TaskRecorder = () => Promise<() => Promise<PageTask[]>>

/** Records the tasks of the window's page with Chromium's own tracing until the returned function is called. */
export async function recordPageTasks(app: ElectronApplication): Promise<() => Promise<PageTask[]>> {
  await app.evaluate(
    ({ contentTracing }, categories) => contentTracing.startRecording({ included_categories: categories }),
    CATEGORIES,
  )
  return async () => {
    const file = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording())
    const trace = await readFile(file, 'utf8')
    await rm(file, { force: true })
    return tasksIn(trace)
  }
}

/** The same of a page in a browser that has no other page. */
export async function recordBrowserTasks(browser: Browser, page: Page): Promise<() => Promise<PageTask[]>> {
  await browser.startTracing(page, { categories: CATEGORIES })
  return async () => tasksIn((await browser.stopTracing()).toString('utf8'))
}

function tasksIn(trace: string): PageTask[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
  const threads = new Set(
    traceEvents
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => name === TASK && ph === 'X' && threads.has(`${pid} ${tid}`),
  )
  const firstTs = Math.min(...tasks.map(({ ts }) => ts))
  return tasks.map(({ ts, dur = 0, tdur = 0 }) => ({
    startMs: (ts - firstTs) / 1000,
    wallMs: dur / 1000,
    cpuMs: tdur / 1000,
  }))
}
