/** The meaning of one line of a burner's output. */
export type LineReading =
  /** It works; `bytes` are written, null where the line has no such figure. */
  | { readonly kind: 'progress'; readonly bytes: number | null }
  /** The problem, in the burner's own words. */
  | { readonly kind: 'problem'; readonly text: string }
  /** Nothing that is known: it is no sign of life either. */
  | { readonly kind: 'other' }

const OTHER: LineReading = { kind: 'other' }
const MIB = 1024 * 1024

/** Lines of xorriso's and cdrskin's `-as cdrecord` output: figures are MiB. */
export function cdrecordOutput(line: string): LineReading {
  const written = /^(?:xorriso : UPDATE :|Track \d+:) +(\d+)(?: of +\d+)? MB written/.exec(line)
  if (written) return { kind: 'progress', bytes: Number(written[1]) * MIB }
  const problem =
    /^(?:xorriso|libburn|libisofs|libisoburn|cdrskin) ?: (?:SORRY|MISHAP|FAILURE|FATAL|ABORT) : (.+)$/.exec(
      line,
    )
  if (problem) return { kind: 'problem', text: problem[1] as string }
  const isAtWork =
    /^(?:xorriso|cdrskin) ?: UPDATE :|^Beginning to write|^Writing to '|^Fixating|^(?:Blanking|Formatting)/
  return isAtWork.test(line) ? { kind: 'progress', bytes: null } : OTHER
}

/**
 * Lines of growisofs, by its source:
 * `  1234/5678 (21.7%) @4.0x, remaining 1:02 RBU 100.0% UBU  98.4%`; faces begin problems.
 */
export function growisofsOutput(line: string): LineReading {
  const written = /^ *(\d+)\/(\d+) \( *\d+\.\d+%\)/.exec(line)
  if (written) return { kind: 'progress', bytes: Number(written[1]) }
  const problem = /^:-[([\]!?] *(.+)$/.exec(line)
  if (problem) return { kind: 'problem', text: problem[1] as string }
  const isAtWork =
    /: (?:flushing cache|updating RMA|closing (?:track|session|disc)|writing lead-out|reloading tray|pre-formatting|"Current Write Speed")/
  return isAtWork.test(line) ? { kind: 'progress', bytes: null } : OTHER
}
