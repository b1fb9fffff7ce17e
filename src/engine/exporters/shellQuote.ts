/**
 * A word for POSIX sh that stands for exactly this text: in single quotes, where nothing but the single quote itself has a
 * meaning. Newlines, `$`, backslashes and bytes that are not UTF-8 stay as they are. It does not protect a leading dash:
 * scripts put a folder or `--` before names.
 */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Text that is safe behind `#` in a script: one line, nothing that a terminal would obey. */
export function shellComment(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
}
