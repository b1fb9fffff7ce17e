import type { Drawing, Mark, Tone } from '../../../domain/sets/labels/drawing'

export const TONES: Readonly<Record<Tone, string>> = {
  ink: '#1b1d1f',
  muted: '#63686e',
  hairline: '#d5d6d2',
  accent: '#0b6e99',
}

const FONTS = "'DejaVu Sans Condensed','DejaVu Sans','Noto Sans',Arial,sans-serif"

/** A drawing as SVG in its true size; texts stay texts. */
export function svgText({ width, height, marks }: Drawing, title: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${mm(width)}mm" height="${mm(height)}mm" viewBox="0 0 ${mm(width)} ${mm(height)}" font-family="${FONTS}" font-stretch="condensed">
<title>${escapeXml(title)}</title>
${marks.map(markText).join('\n')}
</svg>
`
}

function markText(mark: Mark): string {
  switch (mark.kind) {
    case 'text': {
      const { x, y, text, size, isBold, tone = 'ink', anchor = 'start', turned } = mark
      const weight = isBold ? ' font-weight="bold"' : ''
      const turn = turned ? ` transform="rotate(${turned} ${mm(x)} ${mm(y)})"` : ''
      const at = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
      return `<text x="${mm(x)}" y="${mm(y)}" font-size="${mm(size)}" fill="${TONES[tone]}"${weight}${at}${turn} xml:space="preserve">${escapeXml(text)}</text>`
    }
    case 'rect': {
      const { x, y, width, height, tone } = mark
      return `<rect x="${mm(x)}" y="${mm(y)}" width="${mm(width)}" height="${mm(height)}" fill="${TONES[tone]}"/>`
    }
    case 'qr':
      return `<path d="${qrPath(mark)}" fill="#000" shape-rendering="crispEdges"/>`
  }
}

/** A run of dark modules is one rectangle. */
function qrPath({ x, y, side, modules }: Extract<Mark, { kind: 'qr' }>): string {
  return darkRuns(modules)
    .map(([row, from, length]) => {
      const module = side / modules.length
      return `M${mm(x + from * module)} ${mm(y + row * module)}h${mm(length * module)}v${mm(module)}h${mm(-length * module)}z`
    })
    .join('')
}

/** The dark modules of a code as rows, starts and lengths. */
export function darkRuns(modules: readonly (readonly boolean[])[]): [number, number, number][] {
  return modules.flatMap((row, at) => {
    const runs: [number, number, number][] = []
    for (let from = 0; from < row.length; from++) {
      if (!row[from]) continue
      let to = from
      while (row[to]) to++
      runs.push([at, from, to - from])
      from = to
    }
    return runs
  })
}

/** Thousandths of a millimetre. */
function mm(length: number): string {
  return String(Math.round(length * 1000) / 1000)
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
