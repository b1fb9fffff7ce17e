import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BUNDLE = fileURLToPath(new URL('../../dist/cli/stowage.cjs', import.meta.url))

/**
 * Runs the built command on a terminal of its own, by script(1) of util-linux, and types each answer once what is shown matches.
 * @param answers in the order in which they are typed
 * @returns the exit code, and all that was shown
 */
export function commandOnTerminal(
  args: readonly string[],
  home: string,
  answers: readonly (readonly [shown: RegExp, typed: string])[],
): Promise<{ code: number; shown: string }> {
  const words = [process.execPath, BUNDLE, ...args]
  const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return new Promise((resolve, reject) => {
    // Without exec a shell that stays, as dash does, takes Ctrl-C too and ends with its code instead of the command's.
    const terminal = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
      env: { ...process.env, STOWAGE_HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let shown = ''
    let answered = 0
    terminal.stdout.setEncoding('utf8').on('data', (piece: string) => {
      shown += piece
      const next = answers[answered]
      if (!next?.[0].test(shown)) return
      answered += 1
      terminal.stdin.write(next[1])
    })
    terminal.on('error', reject)
    terminal.on('close', (code) => resolve({ code: code ?? -1, shown }))
  })
}
