import type { Page } from 'playwright-core'

/**
 * What is wrong with the text that the window shows: text that is cut, that lies over or under other text, or that
 * cannot be scrolled to. Only paths and names (of files, folders and volumes:
 * `.path-text`, `.given-name`) may end in an ellipsis, with the whole text as the title. Marks of provenance count as
 * text; text for screen readers alone and drawings on a canvas are not judged.
 */
export async function textFaults(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready)
  return page.evaluate(() => {
    interface Box {
      readonly left: number
      readonly top: number
      readonly right: number
      readonly bottom: number
    }
    interface Piece {
      readonly node: Node
      readonly words: string
      readonly parent: Element
      readonly box: Box
      readonly scrollers: readonly Element[]
    }
    /** Rounding of a pixel, and the blank part of letters above and below. */
    const SLACK = 1.5
    const faults = new Set<string>()
    const styles = new Map<Element, CSSStyleDeclaration>()
    const style = (element: Element): CSSStyleDeclaration => {
      const known = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, known)
      return known
    }
    const chain = (from: Element, until: Element | null = null): Element[] => {
      const found: Element[] = []
      for (let at: Element | null = from; at && at !== until; at = at.parentElement) found.push(at)
      return found
    }
    const where = (element: Element): string => {
      const named = chain(element).find((each) => each.getAttribute('aria-label') || each.id)
      const classes = chain(element)
        .slice(0, 3)
        .toReversed()
        .map(
          (each) =>
            `${each.localName}${each.classList.length > 0 ? `.${[...each.classList].join('.')}` : ''}`,
        )
      return `${classes.join(' > ')}${named ? ` in “${named.getAttribute('aria-label') ?? named.id}”` : ''}`
    }
    const meet = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    })
    const isLarge = ({ left, top, right, bottom }: Box): boolean =>
      right - left > SLACK && bottom - top > SLACK
    const isShown = (element: Element): boolean =>
      style(element).visibility === 'visible' &&
      element.checkVisibility() &&
      chain(element).every(
        (each) =>
          style(each).opacity !== '0' &&
          !style(each).clipPath.startsWith('inset(50%') &&
          !['CANVAS', 'OPTION', 'TITLE', 'STYLE', 'SCRIPT'].includes(each.tagName),
      )
    const innerBox = (element: Element): Box => {
      const { left, top } = element.getBoundingClientRect()
      return {
        left: left + element.clientLeft,
        top: top + element.clientTop,
        right: left + element.clientLeft + element.clientWidth,
        bottom: top + element.clientTop + element.clientHeight,
      }
    }
    const isOpaque = (element: Element): boolean => {
      const { backgroundColor } = style(element)
      return backgroundColor !== 'transparent' && !/, 0\)$|\/ 0%?\)$/.test(backgroundColor)
    }

    const found: Omit<Piece, 'scrollers'>[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const parent = node.parentElement
      const words = node.data.trim()
      if (!parent || words === '' || !isShown(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) if (isLarge(box)) found.push({ node, words, parent, box })
    }
    for (const node of document.querySelectorAll('svg.mark'))
      if (node.parentElement && isShown(node))
        found.push({ node, words: 'a mark', parent: node.parentElement, box: node.getBoundingClientRect() })

    // Text that the pointer passes through is found by no point either.
    const passedThrough = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) => style(element).pointerEvents === 'none' && element.style !== undefined,
    )
    for (const element of passedThrough) element.style.pointerEvents = 'auto'
    // A dialog covers the rest on purpose.
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]')?.closest('.modal-ground')

    const pieces: Piece[] = []
    for (const piece of found) {
      const { parent, words, box } = piece
      if (dialog && !dialog.contains(parent)) continue
      const scrollers: Element[] = []
      let fault: string | null = null
      // What is cut at a box that scrolls can be scrolled to; what is cut at a box that only hides is lost.
      let view: Box = box
      for (const ancestor of chain(parent)) {
        if (ancestor === document.body || ancestor === document.documentElement) break
        const { overflowX, overflowY, position } = style(ancestor)
        if (overflowX === 'visible' && overflowY === 'visible') {
          if (position === 'fixed') break
          continue
        }
        // An inline box has no overflow of its own.
        if (style(ancestor).display === 'inline') continue
        const inner = innerBox(ancestor)
        const scrollsX = overflowX === 'auto' || overflowX === 'scroll'
        const scrollsY = overflowY === 'auto' || overflowY === 'scroll'
        if (scrollsX || scrollsY) scrollers.push(ancestor)
        const cutX = !scrollsX && (view.left < inner.left - SLACK || view.right > inner.right + SLACK)
        const cutY = !scrollsY && (view.top < inner.top - SLACK || view.bottom > inner.bottom + SLACK)
        if (cutX || cutY) {
          const isGiven = parent.closest('.path-text, .given-name') !== null
          const whole = parent.closest('[title]')?.getAttribute('title') ?? ''
          const isAllowed =
            isGiven && !cutY && style(ancestor).textOverflow === 'ellipsis' && whole.includes(words)
          if (!isAllowed)
            fault = `cut ${cutX ? 'sideways' : 'in height'}: “${words.slice(0, 60)}” at ${where(ancestor)}`
        }
        view = meet(view, inner)
        if (!isLarge(view)) break
      }
      if (isLarge(view)) {
        if (
          view.left < -SLACK ||
          view.top < -SLACK ||
          view.right > innerWidth + SLACK ||
          view.bottom > innerHeight + SLACK
        )
          fault ??= `outside the window: “${words.slice(0, 60)}” at ${where(parent)}`
        const x = (view.left + view.right) / 2
        const y = (view.top + view.bottom) / 2
        const top = document.elementFromPoint(x, y)
        if (top && view.bottom - view.top > 4 && !top.contains(parent) && !parent.contains(top)) {
          const common = chain(top).find((each) => each.contains(parent)) ?? null
          const cover = chain(top, common).find(isOpaque)
          if (cover && style(cover).position !== 'sticky' && !cover.closest('.popover, .tooltip'))
            fault ??= `covered: “${words.slice(0, 60)}” by ${where(cover)}`
        }
      }
      if (fault !== null) faults.add(fault)
      let kept: Box = box
      for (const ancestor of chain(parent)) {
        if (ancestor === document.body || scrollers.includes(ancestor)) break
        if (style(ancestor).overflowX !== 'visible' && style(ancestor).display !== 'inline')
          kept = meet(kept, innerBox(ancestor))
      }
      if (isLarge(kept)) pieces.push({ ...piece, box: kept, scrollers })
    }

    for (const element of passedThrough) element.style.pointerEvents = ''

    pieces.sort((a, b) => a.box.top - b.box.top)
    for (const [index, one] of pieces.entries())
      for (let next = index + 1; next < pieces.length; next++) {
        const other = pieces[next] as Piece
        if (other.box.top >= one.box.bottom) break
        if (other.node === one.node || !isLarge(meet(one.box, other.box))) continue
        let both = meet(one.box, other.box)
        for (const scroller of [...one.scrollers, ...other.scrollers])
          if (one.scrollers.includes(scroller) !== other.scrollers.includes(scroller))
            both = meet(both, innerBox(scroller))
        if (!isLarge(both)) continue
        const common = chain(one.parent).find((each) => each.contains(other.parent)) ?? null
        const floats = [...chain(one.parent, common), ...chain(other.parent, common)].some(
          (each) => isOpaque(each) && ['sticky', 'fixed', 'absolute'].includes(style(each).position),
        )
        if (!floats)
          faults.add(
            `overprinted: “${one.words.slice(0, 60)}” and “${other.words.slice(0, 60)}” at ${where(other.parent)}`,
          )
      }

    for (const field of document.querySelectorAll<HTMLInputElement>(
      'input:not([type=range], [type=checkbox], [type=radio])',
    ))
      if (field.offsetParent !== null && isShown(field) && field.scrollWidth > field.clientWidth + 1)
        faults.add(`cut in its field: “${field.value || field.placeholder}” at ${where(field)}`)

    for (const scroller of document.querySelectorAll('.page-body, .rail'))
      if (style(scroller).overflowX !== 'visible' && scroller.scrollWidth > scroller.clientWidth + 1) {
        const { right } = innerBox(scroller)
        const wide = [...scroller.querySelectorAll('*')].find(
          (each) => each.getBoundingClientRect().right > right + 1,
        )
        faults.add(`scrolls sideways: ${where(scroller)} for ${wide ? where(wide) : 'nothing'}`)
      }
    return [...faults]
  })
}
