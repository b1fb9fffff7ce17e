import type { RestoreDocument } from '../../../contract/dto/restore'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { IndexRow } from '../volume/lists/setIndex'

/** Lets a program run as its owner or its group, whoever starts it. */
const SET_IDS = [
  { bit: 0o4000, fact: 'setuid' },
  { bit: 0o2000, fact: 'setgid' },
] as const
/** Lets a program do on Linux what only root may do. */
const CAPABILITIES = 'security.capability'

/**
 * Rows without what gives programs more rights than those of who starts them, and each such right
 * that was left out.
 */
export interface Unprivileged {
  readonly rows: readonly IndexRow[]
  readonly left: RestoreDocument['notPutBack']
}

/**
 * Takes setuid and setgid bits and capabilities away from files: a disc may come from anyone. On
 * folders the setgid bit only names the group of new files, and stays.
 */
export function unprivileged(rows: readonly IndexRow[]): Unprivileged {
  const left: RestoreDocument['notPutBack'] = []
  const refuse = (path: string, fact: string): void => {
    const message = said`cannot put back ${fact} of ${pathForDisplay(path)}: it gives a program more rights; --trust puts it back`
    left.push({ path, fact, error: { code: 'refused', message, path } })
  }
  return {
    rows: rows.map((row) => {
      if (row.kind !== 'file' && row.kind !== 'part') return row
      const { mode, attributes } = row
      const path = row.kind === 'part' ? row.whole : row.path
      const isFirst = row.kind === 'file' || row.offset === 0
      const facts = [
        ...SET_IDS.filter(({ bit }) => ((mode ?? 0) & bit) !== 0).map(({ fact }) => fact),
        ...attributes.filter(({ name }) => name === CAPABILITIES).map(({ name }) => name),
      ]
      if (facts.length === 0) return row
      if (isFirst) for (const fact of facts) refuse(path, fact)
      return {
        ...row,
        mode: mode === null ? null : mode & ~0o6000,
        attributes: attributes.filter(({ name }) => name !== CAPABILITIES),
      }
    }),
    left,
  }
}
