import { describe, expect, it } from 'vitest'
import { type ErasableLines, erasableLines } from '../../../src/cli/shape/erasableLines'

interface Screen {
  columns: number
  rows: number
  readonly written: string[]
  write(text: string): void
  readonly lines: ErasableLines
  /** Writes as a terminal of results does. */
  line(text: string): void
}

function screenOf(columns: number, rows: number): Screen {
  const written: string[] = []
  const screen = { columns, rows, written, write: (text: string) => void written.push(text) }
  const lines = erasableLines(screen)
  return Object.assign(screen, {
    lines,
    line(text: string) {
      lines.wrote(`${text}\n`)
      screen.write(`${text}\n`)
    },
  })
}

const UP_3 = '\u001b[3A\r\u001b[J'

describe('lines that can be erased', () => {
  it('counts the rows that long lines and empty ones take', () => {
    const screen = screenOf(10, 8)
    screen.lines.print(() => {
      screen.line('twelve chars')
      screen.line('')
    })
    expect(screen.lines.erase()).toBe(true)
    expect(screen.written.at(-1)).toBe(UP_3)
  })

  it('erases them once', () => {
    const screen = screenOf(10, 8)
    screen.lines.print(() => screen.line('a'))
    expect(screen.lines.erase()).toBe(true)
    expect(screen.lines.erase()).toBe(false)
  })

  it.each([
    ['something follows', (screen: Screen) => screen.line('a note')],
    ['the width has changed', (screen: Screen) => void (screen.columns = 9)],
    ['the screen is lower by now', (screen: Screen) => void (screen.rows = 2)],
  ])('leaves them where %s', (_, change) => {
    const screen = screenOf(10, 8)
    screen.lines.print(() => {
      screen.line('one')
      screen.line('two')
    })
    change(screen)
    const before = [...screen.written]
    expect(screen.lines.erase()).toBe(false)
    expect(screen.written).toEqual(before)
  })

  it.each([
    ['are as tall as the screen', 3, 'a'],
    ['have characters whose width is not known', 8, '写真'],
    ['have a character of two code units', 8, '📷'],
  ])('leaves lines that %s', (_, rows, text) => {
    const screen = screenOf(10, rows)
    screen.lines.print(() => {
      for (let line = 0; line < 3; line++) screen.line(text)
    })
    expect(screen.lines.erase()).toBe(false)
  })

  it('leaves lines on a screen that does not tell its size', () => {
    const screen = screenOf(0, 0)
    screen.lines.print(() => screen.line('a'))
    expect(screen.lines.erase()).toBe(false)
  })

  it('erases marks and signs of one column', () => {
    const screen = screenOf(40, 8)
    screen.lines.print(() => {
      screen.line('10.4–11.4 MB ◐')
      screen.line('blocks of…')
      screen.line('● measured ■ exact')
    })
    expect(screen.lines.erase()).toBe(true)
    expect(screen.written.at(-1)).toBe(UP_3)
  })
})
