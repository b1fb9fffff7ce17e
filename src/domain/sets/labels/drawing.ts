/** Tones of a drawing: text, text of less weight, thin lines, bars. */
export type Tone = 'ink' | 'muted' | 'hairline' | 'accent'

/** A mark of a drawing; lengths in millimetres from its upper left corner. */
export type Mark =
  | {
      readonly kind: 'text'
      /** Where the baseline begins, has its middle, or ends. */
      readonly x: number
      readonly y: number
      readonly text: string
      readonly size: number
      readonly isBold?: boolean
      readonly tone?: Tone
      readonly anchor?: 'start' | 'middle' | 'end'
      /** In degrees clockwise about (x, y). */
      readonly turned?: 90 | -90
    }
  | {
      readonly kind: 'rect'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly tone: Tone
    }
  | {
      readonly kind: 'qr'
      readonly x: number
      readonly y: number
      readonly side: number
      /** Rows of modules, true for dark ones, without the quiet zone. */
      readonly modules: readonly (readonly boolean[])[]
    }

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

/** The width of a text in a size, in millimetres. */
export type Measure = (text: string, size: number, isBold: boolean) => number

/** The largest of the sizes from `most` down to `least` in which a text fits. */
export function fittingSize(
  text: string,
  room: number,
  { most, least, isBold }: { most: number; least: number; isBold: boolean },
  measure: Measure,
): number {
  return Math.max(least, Math.min(most, (0.999 * most * room) / Math.max(measure(text, most, isBold), 0.01)))
}

/** A text that fits, by an ellipsis in its middle where it must: both ends tell names apart. */
export function shortened(
  text: string,
  room: number,
  size: number,
  measure: Measure,
  isBold = false,
): string {
  if (measure(text, size, isBold) <= room) return text
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const keeping = (kept: number): string => {
    const head = Math.ceil(kept / 2)
    return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (kept - head)).join('')}`
  }
  let [fitting, most] = [0, letters.length - 1]
  while (fitting < most) {
    const kept = Math.ceil((fitting + most) / 2)
    if (measure(keeping(kept), size, isBold) <= room) fitting = kept
    else most = kept - 1
  }
  return fitting > 1 ? keeping(fitting) : '…'
}

/** A text in lines that fit; a word that is wider than a line is cut. */
export function linesOf(text: string, room: number, size: number, measure: Measure): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer, size, false) <= room) line = longer
    else {
      if (line !== '') lines.push(line)
      line = shortened(word, room, size, measure)
    }
  }
  return line === '' ? lines : [...lines, line]
}
