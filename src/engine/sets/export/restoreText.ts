import type { Language } from '../../../primitives/languages'
import { DISC_TEXTS, type DiscTextKey, type SayDiscText } from '../volume/lists/discTexts'

/** The facts that decide how a set is restored. */
export interface RestoreFacts {
  readonly payloadName: string
  /** True when files or archives are cut over several volumes. */
  readonly hasParts: boolean
  /** The permanent names of the recipes that the set is packed with; none for plain files. */
  readonly methods: readonly string[]
  readonly isEncrypted: boolean
  /** True where the volumes of the set may have recovery data. */
  readonly isProtected: boolean
}

/** The widest line of prose; commands stay whole. */
const WIDTH = 100

/**
 * How to restore a set without Stowage, for the person who finds one of its volumes: with
 * `RESTORE.sh`, and by hand. It is the same on every volume of a set. In another language than
 * English it is followed by the English text: who finds a disc may not read the other.
 */
export function restoreText(facts: RestoreFacts, language: Language = 'en'): string {
  const text = (spoken: Language) => textIn(DISC_TEXTS[spoken].say, facts)
  return language === 'en' ? text('en') : `${text(language)}\n${'-'.repeat(WIDTH)}\n\n${text('en')}`
}

function textIn(say: SayDiscText, facts: RestoreFacts): string {
  const { payloadName: folder, hasParts, methods, isEncrypted, isProtected } = facts
  const unpackings = methods.map((method) => unpackingOf(say, method, isEncrypted))
  const blocks = [
    [say('restore.title')],
    [say('restore.script')],
    [say('restore.script.how', { folder }), ...scriptNeeds(say, unpackings, isEncrypted)],
    [say('restore.hand')],
    ...(unpackings.length === 0 ? [] : unpackings.map(({ lines }) => lines)),
    [
      ...(unpackings.length === 0 ? [say('restore.plain', { folder })] : []),
      ...(isEncrypted ? [say('restore.index', { folder })] : []),
      ...(hasParts ? [say('restore.parts'), ''] : []),
      say('restore.table', { folder }),
    ],
    ...(isProtected ? [[say('restore.recovery', { folder })]] : []),
  ]
  return blocks.map((lines) => `${lines.flatMap(wrapped).join('\n')}\n`).join('\n')
}

/** The paragraphs of a message in lines; those that begin with spaces are commands. */
function wrapped(message: string): string[] {
  return message.split('\n').flatMap((paragraph) => {
    if (paragraph.startsWith(' ')) return [paragraph]
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1) as string
      if (last !== '' && last.length + 1 + word.length > WIDTH) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
    }
    return lines
  })
}

/** One way of packing, as it is unpacked by hand. */
interface Unpacking {
  /** The programs that the script needs for it; null where the script cannot unpack it. */
  readonly programs: string | null
  readonly lines: readonly string[]
}

interface Way {
  readonly methods: RegExp
  readonly key: DiscTextKey
  readonly program: DiscTextKey | null
  /** Added where the set is encrypted. */
  readonly asks?: DiscTextKey
}

const WAYS: readonly Way[] = [
  {
    methods: /^7z-solid-.*-content$/,
    key: 'restore.tarIn7z',
    program: 'restore.tarIn7z.program',
    asks: 'restore.7z.asks',
  },
  { methods: /^7z-/, key: 'restore.7z', program: 'restore.7z.program', asks: 'restore.7z.asks' },
  { methods: /^torrentzip-/, key: 'restore.zip', program: 'restore.7z.program' },
  { methods: /^tar-zst-/, key: 'restore.tarZst', program: 'restore.tarZst.program' },
  { methods: /^files-gzip-/, key: 'restore.gzip', program: 'restore.gzip.program' },
  { methods: /^files-zstd-/, key: 'restore.zstd', program: 'restore.zstd.program' },
  { methods: /^files-lz4/, key: 'restore.lz4', program: 'restore.lz4.program' },
  { methods: /^squashfs-/, key: 'restore.squashfs', program: 'restore.squashfs.program' },
  { methods: /^iso$/, key: 'restore.iso', program: 'restore.iso.program' },
  { methods: /^udzo$/, key: 'restore.udzo', program: 'restore.udzo.program' },
  {
    methods: /^borg-1-/,
    key: 'restore.borg',
    program: 'restore.borg.program',
    asks: 'restore.borg.asks',
  },
  { methods: /^restic-/, key: 'restore.restic', program: 'restore.restic.program' },
]
const ENCRYPTED_UDZO: Way = { methods: /^udzo$/, key: 'restore.encryptedUdzo', program: null }

function unpackingOf(say: SayDiscText, method: string, isEncrypted: boolean): Unpacking {
  const ways = isEncrypted ? [ENCRYPTED_UDZO, ...WAYS] : WAYS
  const way = ways.find(({ methods }) => methods.test(method))
  if (!way)
    return {
      programs: say('restore.other.program', { method }),
      lines: [say('restore.other', { method })],
    }
  const asIs = /^files-.*\+as-is\./.test(method) ? [say('restore.asIs')] : []
  const asks = isEncrypted && way.asks ? [say(way.asks)] : []
  return { programs: way.program && say(way.program), lines: [say(way.key), ...asIs, ...asks] }
}

function scriptNeeds(say: SayDiscText, unpackings: readonly Unpacking[], isEncrypted: boolean): string[] {
  const all = unpackings.map(({ programs }) => programs)
  const programs = new Set(all.filter((each) => each !== null))
  // The list of an encrypted set is a 7z archive.
  const index = say('restore.7z.program')
  if (isEncrypted && ![...programs].some((each) => each.includes(index))) programs.add(index)
  return [
    ...(programs.size > 0
      ? [
          say('restore.needs', {
            programs: [...programs].reduce((named, program) =>
              say('restore.needs.and', { programs: named, program }),
            ),
          }),
        ]
      : []),
    ...(all.includes(null) ? [say('restore.needs.none')] : []),
    ...(isEncrypted ? [say('restore.asks')] : []),
  ]
}
