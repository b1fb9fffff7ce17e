/**
 * A word for POSIX sh that stands for exactly this text: in single quotes, where nothing but the
 * single quote itself has a meaning. Newlines, `$`, backslashes and bytes that are not UTF-8 stay
 * as they are. It does not protect a leading dash: scripts put a folder or `--` before names.
 */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
