import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { houseFiles } from './sourceFiles'

/** Each folder in one of these is a room, but for those that are listed here themselves. */
const HOUSES = [
  'src/engine',
  'src/engine/sets',
  'src/domain',
  'src/cli',
  'src/main',
  'renderer/src',
  'renderer/src/steps',
  'native/src',
  'native/src/core',
]
const MOST_LINES = 6
const LONGEST_LINE = 100

const sources = houseFiles().filter((file) => /\.(ts|tsx|css|h|cc)$/.test(file))

/** The rooms with their files; the file that lists a room's modules may be next to it. */
function roomsIn(files: readonly string[]): Map<string, string[]> {
  const rooms = new Map<string, string[]>()
  for (const house of HOUSES)
    for (const file of files) {
      const [name, inside] = file.startsWith(`${house}/`) ? file.slice(house.length + 1).split('/') : []
      const room = `${house}/${name}`
      if (name === undefined || inside === undefined || HOUSES.includes(room)) continue
      rooms.set(room, [...(rooms.get(room) ?? []), file])
    }
  for (const [room, own] of rooms) if (files.includes(`${room}.ts`)) own.push(`${room}.ts`)
  return rooms
}

/** The head that a file begins with; null without one. */
function headOf(text: string): { readonly room: string; readonly lines: readonly string[] } | null {
  const comment = /^\/\*\*?\n((?: \* .*\n)+) \*\/\n\n/.exec(text)?.[1]
  const room = comment === undefined ? undefined : /^ \* The room `(\w+)` /.exec(comment)?.[1]
  return comment === undefined || room === undefined ? null : { room, lines: comment.trimEnd().split('\n') }
}

/** Why a head is not as it must be; null when it is. */
function headFault({ lines }: { readonly lines: readonly string[] }): string | null {
  if (lines.length > MOST_LINES) return `${lines.length} lines`
  const long = lines.find((line) => line.length > LONGEST_LINE)
  if (long) return `a line of ${long.length} columns`
  const parts = lines.filter((line) => /^ \* (How|Not here): /.test(line)).map((line) => line.slice(3, 6))
  return parts.join() === 'How,Not' ? null : 'not "The room …", "How: …" and "Not here: …"'
}

/** Names in back quotes that are neither a folder or file near the room nor in one of its files. */
function strangers(room: string, lines: readonly string[], files: readonly string[]): string[] {
  const names = [...lines.join(' ').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const near = ['', room, posix.dirname(room), posix.dirname(posix.dirname(room))]
  const isThere = (name: string): boolean =>
    near.some((folder) =>
      ['', '.ts', '.tsx', '.h'].some((ending) => existsSync(posix.join(folder, name + ending))),
    ) ||
    files.some((file) => file.endsWith(`/${name}`) || posix.basename(file).startsWith(`${name}.`)) ||
    (/^[A-Z]/.test(name) && files.some((file) => readFileSync(file, 'utf8').includes(name)))
  return names.filter((name) => !isThere(name))
}

describe('every room', () => {
  const rooms = roomsIn(sources)
  const heads = new Map(
    [...rooms].map(([room, files]) => {
      const own = files.flatMap((file) => headOf(readFileSync(file, 'utf8')) ?? [])
      return [room, own.filter((head) => head.room === posix.basename(room))]
    }),
  )

  it('has one head: what it is for, how it does that, and what is elsewhere', () => {
    expect(rooms.size).toBeGreaterThan(80)
    expect([...heads].filter(([, found]) => found.length !== 1).map(([room]) => room)).toEqual([])
    const faults = [...heads].flatMap(([room, found]) =>
      found.map((head) => `${room}: ${headFault(head)}`).filter((fault) => !fault.endsWith(': null')),
    )
    expect(faults).toEqual([])
  })

  it('names what is there', () => {
    const unknown = [...heads].flatMap(([room, [head]]) =>
      strangers(room, head?.lines ?? [], rooms.get(room) ?? []).map((name) => `${room}: ${name}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('a head', () => {
  const text = (...lines: readonly string[]) =>
    `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n\nexport {}\n`
  const head = headOf(text('The room `a` is.', 'How: so.', 'Not here: b.'))

  it('is the comment that a file begins with', () => {
    expect(head).toMatchObject({ room: 'a', lines: { length: 3 } })
    expect(headOf(`import 'b'\n${text('The room `a` is.')}`)).toBeNull()
    expect(headOf(text('Rooms.'))).toBeNull()
  })

  it('is refused without a part, with lines that are too long, and with too many', () => {
    expect(head && headFault(head)).toBeNull()
    expect(headFault({ lines: [' * The room `a` is.', ' * How: so.'] })).toMatch(/Not here/)
    expect(headFault({ lines: [' * How: so.', ` * ${'x'.repeat(98)}`] })).toBe('a line of 101 columns')
    expect(headFault({ lines: Array.from({ length: 7 }, () => ' * x') })).toBe('7 lines')
  })

  it('is searched for names that are nowhere', () => {
    const files = ['src/engine/jobs/jobRunner.ts']
    const lines = [' * `jobRunner`, `src/domain`, `survey`, `Clock`', ' * `nowhere`, `Nobody`']
    expect(strangers('src/engine/jobs', lines, files)).toEqual(['nowhere', 'Nobody'])
  })
})
