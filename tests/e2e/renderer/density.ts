import type { Page } from 'playwright-core'

/** How much a page shows at once, below its head and the rail, scrolled parts included. */
export interface Density {
  /** What the Tab key or a press reaches and is visible; a group of radio buttons counts each of them. */
  readonly controls: number
  /** Words with a digit in visible text. */
  readonly figures: number
}

/** Counts a page as a person meets it: only what is drawn, nothing of folded lines. */
export function densityOf(page: Page): Promise<Density> {
  return page.evaluate(() => {
    const main = document.querySelector('main')
    if (main === null) throw new Error('the window has no main part')
    const isSeen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const controls = [
      ...main.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])',
      ),
    ].filter(
      (element) =>
        isSeen(element.closest('label') ?? element) &&
        // What only keeps the focus of its parts, and what a group reaches by the arrow keys, is no control.
        !element.matches('[data-react-aria-prevent-focus], [tabindex="-1"]:not(input)'),
    )
    const words: string[] = []
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement
      if (parent === null || !isSeen(parent)) continue
      const { width, height } = parent.getBoundingClientRect()
      // Words for screen readers alone are a point in size.
      if (width > 1 && height > 1) words.push(...(text.textContent ?? '').split(/\s+/))
    }
    return { controls: controls.length, figures: words.filter((word) => /\d/.test(word)).length }
  })
}
