/** The longest line of a doc comment, in columns. */
const LONGEST_COMMENT_LINE = 100
/** More numbers in one comment are evidence: it belongs in `docs/methods`. */
const MOST_NUMBERS = 6

/** A comment before a declaration: `/** … *\/`, in C++ also lines that begin with two slashes. */
export interface DocComment {
  /** Of its first line, from 1. */
  readonly line: number
  readonly lines: readonly string[]
  /** Its prose on one line. */
  readonly text: string
}

export const COMMENT_RULES = {
  longLines: {
    what: `lines over ${LONGEST_COMMENT_LINE} columns`,
    instead: 'wrap the text, or say less',
    faultsIn: ({ line, lines }: DocComment): number[] =>
      lines.flatMap((text, at) => (text.length > LONGEST_COMMENT_LINE ? [line + at] : [])),
  },
  openings: {
    what: 'comments that begin with "What", "Of", "So many", "As many" or "Whether"',
    instead: 'begin with the thing: "The bytes of …", "True when …"',
    faultsIn: ({ line, text }: DocComment): number[] =>
      /^(?:What|Of|So many|As many|Whether)\b/.test(text) ? [line] : [],
  },
  numbers: {
    what: `comments with more than ${MOST_NUMBERS} numbers`,
    instead: 'give the bound, and move the evidence to docs/methods',
    faultsIn: ({ line, text }: DocComment): number[] => (numbersIn(text).length > MOST_NUMBERS ? [line] : []),
  },
} as const
export type CommentRule = keyof typeof COMMENT_RULES

function docComments(file: string, source: string): DocComment[] {
  const blocks = [...source.matchAll(/^[ \t]*\/\*\*(?!\/)[^]*?\*\//gm)]
  if (/\.(cc|h)$/.test(file)) blocks.push(...source.matchAll(/(?:^[ \t]*\/\/.*(?:\n|$))+/gm))
  return blocks.map(({ 0: comment, index }) => {
    const lines = comment.trimEnd().split('\n')
    const prose = lines.map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/)|\/\/)?/, '').replace(/\*\/$/, ''))
    return {
      line: source.slice(0, index).split('\n').length,
      lines,
      text: prose.join(' ').replaceAll(/\s+/g, ' ').trim(),
    }
  })
}

/** The places in a file that break a rule, as `file:line`. */
export function commentFaults(rule: CommentRule, file: string, source: string): string[] {
  return docComments(file, source).flatMap((comment) =>
    COMMENT_RULES[rule].faultsIn(comment).map((line) => `${file}:${line}`),
  )
}

/** Numbers of a text, without those of names such as SHA-256, 7-Zip and code in back quotes. */
function numbersIn(text: string): string[] {
  return text.replaceAll(/`[^`]*`/g, '').match(/(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])/g) ?? []
}
