import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { MemberSinks } from '../../../../src/engine/roms/archives/archiveMember'
import { SevenZipArchives } from '../../../../src/engine/roms/archives/sevenZipArchive'
import type { ExternalTool } from '../../../../src/engine/tools/externalTool'

const folder = mkdtempSync(join(tmpdir(), 'stowage-7z-'))
afterAll(() => rmSync(folder, { recursive: true }))
const archive = join(folder, 'x.7z')
writeFileSync(archive, 'any bytes')

/** A program in the place of 7-Zip: a script, or none. */
function program(script: string | null): ExternalTool {
  const path = join(folder, `program-${Math.abs(script?.length ?? 0)}`)
  if (script !== null) {
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  return {
    name: '7-Zip',
    neededFor: 'this',
    howToGet: 'install it',
    find: async () => (script === null ? null : { path, version: '26' }),
  }
}

/** Asks for every content, and collects it. */
async function read(
  tool: ExternalTool,
  signal = new AbortController().signal,
): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  const sinks: MemberSinks = {
    begin({ name }) {
      contents[name] = ''
      return {
        update: (piece) => void (contents[name] += Buffer.from(piece).toString()),
        end: () => undefined,
        fail: () => undefined,
      }
    },
    link: () => undefined,
  }
  await new SevenZipArchives([archive], signal, tool).read(archive, sinks)
  return contents
}

const LIST =
  'echo "Listing archive: $PWD"; echo; echo --; echo "Type = 7z"; echo; echo ----------; ' +
  'echo "Path = a"; echo "Size = 3"; echo; echo "Path = b"; echo "Size = 4"; echo'

/** Lists two members; for anything else than a list it does this. */
const unless = (other: string): string => `if [ "$1" = l ]; then ${LIST}; else ${other}; fi`

// The programs are scripts.
describe.skipIf(process.platform === 'win32')('7z archives', () => {
  test('are cut into their members by the sizes listed, and no more is read than is needed', async () => {
    expect(await read(program(unless('printf abc; printf defg')))).toEqual({ a: 'abc', b: 'defg' })
    expect(await read(program(unless('printf abcdefg; yes')))).toEqual({ a: 'abc', b: 'defg' })
  })

  test('are let go when the comparison is cancelled', async () => {
    const stop = new AbortController()
    const reading = read(program(unless('printf ab; sleep 60')), stop.signal)
    setTimeout(() => stop.abort(), 50)
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
  })

  test.each([
    ['is missing', null, /^cannot find 7-Zip, which is needed for this; install it$/],
    ['lists nothing', ':', /7-Zip does not list it, and ends with code 0\)$/],
    ['fails without a word', 'exit 7', /7-Zip does not list it, and ends with code 7\)$/],
    ['lists half', `${LIST}; exit 2`, /7-Zip does not list it, and ends with code 2\)$/],
    ['writes noise', 'head -c 3000000 /dev/urandom', /7-Zip does not list it, and ends with code 0\)$/],
    ['unpacks less', unless('printf abcde'), /7-Zip unpacks less than it lists, and ends with code 0\)$/],
    ['gives a reason', unless('echo "ERROR: Data Error : b" >&2; exit 2'), /\(Data Error : b\)$/],
    [
      'cannot open it',
      'printf "ERROR: /x.7z\\n/x.7z\\nOpen ERROR: Cannot open the file\\n" >&2; exit 2',
      /damaged \(Cannot open the file\)$/,
    ],
    ['is killed', unless('kill -9 $$'), /was ended by SIGKILL$/],
    ['cannot start', '\0', /./],
  ])('are refused in one line where the program %s', async (_, script, why) => {
    const failure = await read(program(script)).then(
      () => 'it was read',
      (thrown: unknown) => (thrown as Error).message,
    )
    expect(failure).toMatch(why)
    expect(failure).not.toContain('\n')
    expect(failure).not.toBe('it was read')
  })
})
