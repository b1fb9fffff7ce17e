import { isNamed, memberOf, type Spot, type SyntaxNode, walk } from './sourceFiles'

/** Something that may be done in a few files only. */
export interface SinglePlace {
  readonly what: string
  readonly files: readonly string[]
  readonly because: string
  readonly isUse: (node: SyntaxNode) => boolean
}

const CLOCK = 'src/primitives/clock.ts'

/** What only one file may do, and why. */
export const SINGLE_PLACES: readonly SinglePlace[] = [
  {
    what: 'reads the time',
    files: [CLOCK],
    because: 'whatever needs time takes a Clock, so that tests can give it one',
    isUse: readsTime,
  },
  {
    what: 'writes a file',
    files: ['src/engine/files/write.ts', 'src/files/atomicFile.ts', 'src/main/logFile.ts'],
    because: 'what does not fit on a disk is found only by who looks at every count, and flushes',
    isUse: writesFile,
  },
  {
    what: 'touches window.stowage',
    files: ['renderer/src/api.ts'],
    because: 'the rest of the window asks through api.ts, which tests replace',
    isUse: (node) => {
      const member = memberOf(node)
      return (
        member?.property === 'stowage' &&
        (isNamed(member.object, 'window') || isNamed(member.object, 'globalThis'))
      )
    },
  },
  {
    what: 'opens a file or an address outside of the window',
    files: [],
    because: 'what a person has is never run: shell.showItemInFolder selects it in its folder',
    isUse: (node) => ['openPath', 'openExternal'].includes(memberOf(node)?.property ?? ''),
  },
  {
    what: 'takes hold of ipcMain',
    files: ['src/main/runWindow.ts'],
    because: 'it is handed to the one door (ipcGateway.ts), which checks sender and arguments of every call',
    isUse: (node) => node.type === 'ImportSpecifier' && isNamed(node['imported'], 'ipcMain'),
  },
  {
    what: 'registers a listener on ipcMain itself',
    files: [],
    because: 'every call of the window goes through the one door (ipcGateway.ts)',
    isUse: (node) => isNamed(memberOf(node)?.object, 'ipcMain') || memberOf(node)?.property === 'ipcMain',
  },
  {
    what: 'uses ipcRenderer',
    files: ['src/preload/preload.ts'],
    because: 'the page gets the derived interface and nothing else',
    isUse: (node) => isNamed(node, 'ipcRenderer'),
  },
  {
    what: 'sends to a page with webContents.send',
    files: ['src/main/ipc/pageChannel.ts'],
    because: 'what reaches a page is named and typed by the contract',
    isUse: sendsToPage,
  },
]

/** Every place in the file that does what only other files may, as a sentence. */
export function strayUses(file: string, source: string, places = SINGLE_PLACES): string[] {
  const found: (Spot & { place: SinglePlace })[] = []
  walk(file, source, (node, lineOf) => {
    for (const place of places) {
      if (!place.files.includes(file) && place.isUse(node)) found.push({ file, line: lineOf(), place })
    }
  })
  return found.map(
    ({ line, place }) => `${file}:${line} ${place.what}: ${placesOf(place)}, because ${place.because}`,
  )
}

function placesOf(place: SinglePlace): string {
  return place.files.length === 0 ? 'nothing may' : `only ${place.files.join(', ')} may`
}

function readsTime(node: SyntaxNode): boolean {
  if (node.type === 'NewExpression')
    return isNamed(node['callee'], 'Date') && (node['arguments'] as unknown[]).length === 0
  if (node.type === 'CallExpression') return isNamed(node['callee'], 'Date')
  const member = memberOf(node)
  if (!member) return false
  const isOf = (name: string) => isNamed(member.object, name) || memberOf(member.object)?.property === name
  return (
    (member.property === 'now' && (isOf('Date') || isOf('performance'))) ||
    (member.property === 'hrtime' && isOf('process')) ||
    (member.property === 'time' && isOf('console'))
  )
}

const WRITING: ReadonlySet<string> = new Set(
  'writeFile writeFileSync appendFile appendFileSync writev writevSync writeSync createWriteStream'.split(
    ' ',
  ),
)

function writesFile(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node['callee'] as SyntaxNode
  const name = memberOf(callee)?.property ?? (callee.type === 'Identifier' ? String(callee['name']) : '')
  return WRITING.has(name)
}

function sendsToPage(node: SyntaxNode): boolean {
  const member = memberOf(node)
  if (member?.property !== 'send') return false
  return isNamed(member.object, 'webContents') || memberOf(member.object)?.property === 'webContents'
}
