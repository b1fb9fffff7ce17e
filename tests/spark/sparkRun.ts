import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Spark and a store that speaks S3, as `scripts/bootstrap/sparkTools.mjs` installs them. */
const PLACE = join(process.cwd(), '.cache/spark')

/** Why Spark cannot run here, or null. */
export function sparkMissing(): string | null {
  if (!existsSync(join(PLACE, 'bin/spark-submit'))) return 'Spark is not installed in .cache/spark'
  const said = execFileSync('java', ['-XshowSettings:properties', '-version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const text = said === '' ? execFileSync('sh', ['-c', 'java -version 2>&1'], { encoding: 'utf8' }) : said
  const version = Number(/version "(\d+)/.exec(text)?.[1])
  return version >= 17 ? null : `Java ${version} is too old for Spark 4: it needs 17`
}

export interface SparkEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a line of `fleet spark-command` in a shell, on the loopback device only.
 * @param env added to that of Spark
 */
export function runLine(line: string, env: Readonly<Record<string, string>> = {}): Promise<SparkEnd> {
  const all = {
    ...process.env,
    PATH: `${join(PLACE, 'bin')}:${process.env['PATH'] ?? ''}`,
    // Spark looks for itself by this one; another Python on PATH has none.
    PYSPARK_PYTHON: join(PLACE, 'bin/python3'),
    SPARK_LOCAL_IP: '127.0.0.1',
    // What other programs left in the person's own store of packages is no matter here.
    SPARK_SUBMIT_OPTS: `-Duser.home=${join(PLACE, 'home')}`,
    ...env,
  }
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', line], { env: all, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

/** A store on the loopback device with one bucket, `prints`. */
export interface Store {
  readonly address: string
  put(name: string, content: Uint8Array): Promise<void>
  close(): Promise<void>
}

export async function openStore(): Promise<Store> {
  const server = spawn(join(PLACE, 'bin/moto_server'), ['-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`moto_server ended: ${said}`)))
  })
  const put = async (name: string, content?: Uint8Array): Promise<void> => {
    const path = name.split('/').map(encodeURIComponent).join('/')
    const body = content === undefined ? null : Uint8Array.from(content)
    const answer = await fetch(`${address}/prints${path}`, { method: 'PUT', body })
    if (!answer.ok) throw new Error(`cannot put ${name}: ${answer.status}`)
  }
  await put('')
  return {
    address,
    put: (name, content) => put(`/${name}`, content),
    async close() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await Promise.race([ended, setTimeout(10_000, undefined, { ref: false })])
    },
  }
}
