import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../../../src/engine/tools/findProgram'
import { runTool, toolFailure } from '../../../../src/engine/tools/runTool'

const folder = mkdtempSync(join(tmpdir(), 'stowage-tools-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether a process still does anything: one that has ended but was not yet asked about by its parent does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('running a program', () => {
  test('gives its output, exit code and last error lines, with arguments that no shell has touched', async () => {
    const result = await runTool('/bin/sh', [
      '-c',
      'printf %s "$1"; echo one >&2; echo two >&2; exit 3',
      'sh',
      '$(id) "x',
    ])
    expect(result).toEqual({ exitCode: 3, output: '$(id) "x', errorLines: ['one', 'two'] })
    expect(toolFailure('/bin/sh', 'do it', result)).toMatchObject({
      code: 'tool-failed',
      message: 'cannot do it: sh ended with code 3: two',
    })
  })

  test('feeds it piece by piece, as fast as it reads, and ends it when the next piece fails', async () => {
    async function* pieces(count: number, failure: Error | null): AsyncGenerator<Uint8Array, void, void> {
      for (let piece = 0; piece < count; piece++) yield new Uint8Array(100_000)
      if (failure) throw failure
    }
    const counted = await runTool('/bin/sh', ['-c', 'wc -c'], { input: pieces(30, null) })
    expect(counted.output.trim()).toBe('3000000')
    const pids: number[] = []
    const broken = { input: pieces(3, new Error('gone')), onStart: (pid: number) => pids.push(pid) }
    await expect(runTool('/bin/sh', ['-c', 'cat > /dev/null; sleep 60'], broken)).rejects.toThrow('gone')
    expect(pids.map(isAlive)).toEqual([false])
    // A program that reads no more ends as it likes.
    const deaf = await runTool('/bin/sh', ['-c', 'exit 4'], { input: pieces(1000, null) })
    expect(deaf.exitCode).toBe(4)
  })

  test('is given what is added to the environment', async () => {
    const { output } = await runTool('/bin/sh', ['-c', 'echo $ADDED'], { env: { ADDED: 'yes' } })
    expect(output).toBe('yes\n')
  })

  test('runs it in a language of its own', async () => {
    expect((await runTool('/bin/sh', ['-c', 'echo $LC_ALL'])).output).toBe('C.UTF-8\n')
  })

  test('ends the whole process group when it is cancelled, and only then gives up', async () => {
    const pids = join(folder, 'pids')
    const abort = new AbortController()
    // The grandchild tells that it is there on standard error; both would go on for a minute.
    const script = `sleep 60 & echo $! > '${pids}'; echo ready >&2; wait`
    const run = runTool('/bin/sh', ['-c', script], {
      signal: abort.signal,
      onErrorLine: () => abort.abort(),
    })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false)
  })

  test('kills a program that does not heed the request to end', async () => {
    const abort = new AbortController()
    let pid = 0
    const run = runTool('/bin/sh', ['-c', 'trap "" TERM; echo ready >&2; while :; do sleep 1; done'], {
      signal: abort.signal,
      onStart: (started) => {
        pid = started
      },
      onErrorLine: () => abort.abort(),
    })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    expect(isAlive(pid)).toBe(false)
  })

  test('kills also what a program has started that ends at once when asked to', async () => {
    const abort = new AbortController()
    const pids = join(folder, 'heedless')
    // Nothing of it ends by itself, and its output stays open as long as one of them runs.
    const heedless = `trap "" TERM; echo $$ > '${pids}'; echo ready >&2; while :; do sleep 1; done`
    const run = runTool('/bin/sh', ['-c', `sh -c '${heedless.replaceAll("'", `'"'"'`)}' & sleep 60`], {
      signal: abort.signal,
      killAfterMs: 100,
      onErrorLine: () => abort.abort(),
    })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false)
  })

  test('does not start it when it was cancelled before', async () => {
    await expect(
      runTool('/bin/sh', ['-c', `: > '${folder}/started'`], { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' })
    expect(await findProgram('started', folder)).toBeNull()
  })

  test('ends it when the reader of its output fails', async () => {
    let pid = 0
    const run = runTool('/bin/sh', ['-c', 'while :; do echo x; done'], {
      onStart: (started) => {
        pid = started
      },
      onOutput: () => {
        throw new Error('enough')
      },
    })
    await expect(run).rejects.toThrow('enough')
    expect(isAlive(pid)).toBe(false)
  })

  test('says which program cannot be started', async () => {
    await expect(runTool(join(folder, 'no-such'), [])).rejects.toMatchObject({
      code: 'tool-missing',
      message: expect.stringContaining('cannot start no-such'),
    })
  })
})

describe('finding a program', () => {
  test('takes the first executable file on PATH, and no folder or plain file', async () => {
    writeFileSync(join(folder, 'plain'), '', { mode: 0o644 })
    writeFileSync(join(folder, 'program'), '', { mode: 0o755 })
    expect(await findProgram('program', `/no/such:${folder}`)).toBe(join(folder, 'program'))
    expect(await findProgram('plain', folder)).toBeNull()
    expect(await findProgram('tmp', '/')).toBeNull()
    expect(await findProgram('program', '')).toBeNull()
  })
})
