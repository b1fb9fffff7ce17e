import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type AppWindow, askFromPage, openApp, type PageApi } from './appWindow'

// What the page of the real window, were it taken over, could not do. Each test has a page of its own, in the same window.

let app: AppWindow['app']
let page: Page

beforeAll(async () => {
  const ends: (() => void | Promise<void>)[] = []
  const opened = await openApp({ atEnd: (end) => ends.push(end) })
  app = opened.app
  page = opened.page
  return async () => {
    for (const end of ends.toReversed()) await end()
  }
})
beforeEach(() => page.reload())

it('has no way around its preload page', async () => {
  const seen = await page.evaluate(() => {
    const globals = globalThis as unknown as Record<string, unknown>
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
        (name) => name in globals,
      ),
      api: Object.keys(globals['stowage'] as object),
    }
  })
  expect(seen).toEqual({ node: [], api: ['call', 'giveDropped'] })
})

it('cannot change what the preload page gave it', async () => {
  const outcome = await page.evaluate(() => {
    const { stowage } = globalThis as unknown as { stowage: { call: Record<string, unknown> } }
    try {
      stowage.call['extra'] = () => 1
    } catch {
      return 'refused'
    }
    return 'extra' in stowage.call ? 'changed' : 'refused'
  })
  expect(outcome).toBe('refused')
})

it('runs no inline script, no evaluated text and no script from elsewhere', async () => {
  const outcome = await page.evaluate(async () => {
    const blocked: string[] = []
    document.addEventListener('securitypolicyviolation', (event) =>
      blocked.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
    const run = (fill: (script: HTMLScriptElement) => void): Promise<void> =>
      new Promise((resolve) => {
        const script = document.createElement('script')
        script.addEventListener('error', () => resolve())
        fill(script)
        document.body.append(script)
        // An inline script is judged when it is inserted, one with an address when it is asked for.
        if (!script.src) resolve()
      })
    await run((script) => {
      script.textContent = 'window.inlineRan = true'
    })
    await run((script) => {
      script.src = 'data:text/javascript,window.dataRan=true'
    })
    await run((script) => {
      script.src = 'https://example.com/x.js'
    })
    let evaluated = 'ran'
    try {
      // oxlint-disable-next-line no-eval -- that it does not work is what is tested
      ;(0, eval)('1')
    } catch {
      evaluated = 'refused'
    }
    const ran = Object.keys(globalThis).filter((name) => name.endsWith('Ran'))
    return { ran, evaluated, blocked: blocked.length }
  })
  expect(outcome.ran).toEqual([])
  expect(outcome.evaluated).toBe('refused')
  expect(outcome.blocked).toBeGreaterThanOrEqual(3)
})

it('stays on its own page, opens no other and downloads nothing', async () => {
  const before = page.url()
  const isStopped = app.evaluate(
    ({ session }) =>
      new Promise<boolean>((resolve) => {
        session.defaultSession.once('will-download', (event, item) => {
          resolve(event.defaultPrevented)
          item.cancel()
        })
      }),
  )
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob(['x']))
    link.download = 'x.txt'
    document.body.append(link)
    link.click()
  })
  expect(await isStopped).toBe(true)
  const opened = await page.evaluate(() => window.open('https://example.com'))
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'https://example.com'
    document.body.append(link)
    link.click()
    location.href = 'file:///etc/passwd'
  })
  const answered = await page.evaluate(() => document.readyState)
  expect([opened, page.url(), answered]).toEqual([null, before, 'complete'])
  expect(app.windows()).toHaveLength(1)
})

it('reaches nothing outside: not the network, not the disk, not another page in a frame', async () => {
  const outcome = await page.evaluate(async () => {
    const tries = ['https://example.com/', 'file:///etc/passwd', 'stowage://window/../main/main.cjs']
    const fetched = await Promise.all(
      tries.map((url) =>
        fetch(url).then(
          (response) => response.status,
          () => 'refused',
        ),
      ),
    )
    const frame = document.createElement('iframe')
    frame.src = 'https://example.com'
    document.body.append(frame)
    await new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', resolve, { once: true })
      frame.addEventListener('load', resolve, { once: true })
    })
    return { fetched, frames: frame.contentDocument?.body?.childElementCount ?? 0 }
  })
  expect(outcome.fetched.every((answer) => answer === 'refused' || answer === 404)).toBe(true)
  expect(outcome.frames).toBe(0)
})

it('calls nobody: neither a STUN server by UDP nor a TURN server by TCP hears of it', async () => {
  const heard: string[] = []
  const tcp = createServer((socket) => {
    heard.push('TCP')
    socket.destroy()
  })
  await new Promise<void>((resolve) => tcp.listen(0, resolve))
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4', () => heard.push('UDP'))
  await new Promise<void>((resolve) => udp.bind(port, resolve))
  onTestFinished(() => {
    tcp.close()
    udp.close()
  })
  await page.evaluate(async (at) => {
    const iceServers = [
      { urls: `stun:localhost:${at}` },
      { urls: `turn:localhost:${at}?transport=tcp`, username: 'u', credential: 'p' },
    ]
    const call = new RTCPeerConnection({ iceServers })
    call.createDataChannel('secrets')
    await call.setLocalDescription(await call.createOffer())
    if (call.iceGatheringState !== 'complete')
      await new Promise<void>((resolve) => {
        call.addEventListener('icegatheringstatechange', () => {
          if (call.iceGatheringState === 'complete') resolve()
        })
      })
  }, port)
  expect(heard).toEqual([])
})

it('is granted no permission', async () => {
  const outcome = await page.evaluate(async () => {
    const granted = await Promise.all(
      (['notifications', 'geolocation', 'camera', 'microphone'] as const).map((name) =>
        navigator.permissions.query({ name }).then(
          (status) => status.state,
          () => 'denied',
        ),
      ),
    )
    const asked = await Notification.requestPermission()
    return [...granted, asked]
  })
  expect(new Set(outcome)).toEqual(new Set(['denied']))
})

/** The answer's code, `ok`, or that there is no such call. */
async function ask(channel: string, params: unknown): Promise<string> {
  const result = await askFromPage(page, channel, params)
  if (result === null) return 'no such call'
  return result.ok ? 'ok' : result.error.code
}

it('is refused at the door: strange paths, bad parameters, heavy arguments, calls that are not declared', async () => {
  const answers = [
    await ask('survey.start', { paths: ['/etc'] }),
    await ask('app.showFolder', { path: '/etc' }),
    await ask('plan.export', { planId: 'p', directory: '/tmp' }),
    await ask('run.build', { directory: '/tmp' }),
    await ask('survey.start', { paths: 7 }),
    await ask('catalog.find', { pattern: 'x'.repeat(5_000_000) }),
    await ask('sample.make', { directory: '/tmp/x' }),
  ]
  const refused = 'refused'
  expect(answers).toEqual([refused, refused, refused, refused, 'bad-input', refused, 'no such call'])
})

it('cannot pass what a script made for what a person dropped', async () => {
  await page.evaluate(async () => {
    const { stowage } = globalThis as unknown as { stowage: PageApi }
    const forged = new File(['x'], '/etc')
    Object.defineProperty(forged, 'path', { value: '/etc' })
    class Posing extends File {
      get path(): string {
        return '/etc'
      }
    }
    for (const each of [forged, new Posing([], '/etc'), { path: '/etc' }, '/etc']) {
      await stowage.giveDropped([each]).catch(() => {})
    }
  })
  expect(await ask('survey.start', { paths: ['/etc'] })).toBe('refused')
})
