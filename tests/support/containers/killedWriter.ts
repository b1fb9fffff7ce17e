import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createContainer, openContainer } from '../../../src/engine/native/containers'
import { faultIn, stepsOf } from '../../conformance/containers/writingProcess'
import { ADDON } from '../nativeAddon'
import { PASSWORD, type Variety, wishOf } from './varieties'

const WRITER = join(process.cwd(), 'tests/fixtures/containerWriter.ts')

/**
 * Makes a container, lets another process write to it and kills that one (SIGKILL) when it has begun `killAfter` steps;
 * then looks whether the container opens, is sound, and holds what it must. Null, or what is wrong.
 */
export async function killAndLook(
  variety: Variety,
  path: string,
  how: { seed: number; diskBytes: number; bandBytes: number; killAfter: number },
): Promise<string | null> {
  await createContainer(path, wishOf(variety, how.diskBytes, how.bandBytes))
  const count = how.killAfter + 50
  const writer = spawn(process.execPath, [WRITER, ADDON, path, String(how.seed), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  writer.stdout.setEncoding('latin1').on('data', (text: string) => {
    said += text
    if (said.includes(`begun ${how.killAfter}\n`)) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  const last = (word: string) =>
    Number([...said.matchAll(new RegExp(`${word} (\\d+)\\n`, 'g'))].at(-1)?.[1] ?? 0)
  if (last('begun') < how.killAfter) return `the writer ended by itself: ${said.slice(-200)}`
  const disk = await openContainer(path, { writable: true, password: PASSWORD })
  try {
    const content = await disk.read(0, how.diskBytes)
    const { problems } = await disk.verify()
    if (problems.length > 0) return problems.join('; ')
    return faultIn(content, stepsOf(how.seed, how.diskBytes, count), last('flushed'), last('begun'))
  } finally {
    await disk.close()
  }
}
