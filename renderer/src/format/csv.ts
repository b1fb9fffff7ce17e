/**
 * A table as CSV (RFC 4180): CRLF, quotes doubled, a field quoted when it holds a comma, a quote, a
 * line break or surrounding spaces. Text that a spreadsheet would take for a formula is led by an
 * apostrophe; numbers stay bare.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}
