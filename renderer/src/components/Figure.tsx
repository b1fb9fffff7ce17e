import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog, Heading, Popover, Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import type { Provenance } from '../../../src/primitives/estimate'
import {
  formatCount,
  formatExactBytes,
  formatSizeRange,
  type Quantity,
  sizeQuantity,
  type Units,
} from '../../../src/primitives/quantity'
import { spoken, t } from '../copy'
import { meaningOf } from '../format/meanings'
import { ProvenanceMark } from './Marks'

/** Where a figure comes from, as the popover shows it. */
export interface Basis {
  readonly provenance: Provenance
  /** One or two sentences: when, on what, by which method. */
  readonly text: string
  /** The 95 % range of a figure that is not exact. */
  readonly range?: string | undefined
}

/** A size with its unit in a lighter weight and the exact bytes as its title. */
export function Size({ bytes, units }: { bytes: number; units: Units }) {
  return <QuantityText {...sizeQuantity(bytes, units)} title={formatExactBytes(bytes)} />
}

/** A figure in its two parts. */
export function QuantityText({ number, unit, title }: Quantity & { title?: string }) {
  return (
    <span className="quantity" title={title}>
      {number}
      <span className="unit">{unit}</span>
    </span>
  )
}

interface FigureProps {
  readonly label: string
  /** Null while it is not known: the space stays. */
  readonly quantity: Quantity | null
  /** The exact value behind the rounding, shown on hover and focus. */
  readonly exactly: string
  readonly basis: Basis
  readonly note?: ReactNode
  readonly size?: 'hero' | 'small'
}

/**
 * A figure that decides something: value, unit, range, mark. Enter or a click shows how it is
 * known.
 */
export function Figure({ label, quantity, exactly, basis, note, size = 'small' }: FigureProps) {
  return (
    <div className={`figure ${size}`}>
      <div className="figure-label" title={meaningOf(label)}>
        {label}
      </div>
      {quantity === null ? (
        <div className="figure-value absent">
          <span className="number">–</span>
        </div>
      ) : (
        <HowDoWeKnow
          label={label}
          exactly={exactly}
          basis={basis}
          shown={quantity}
          range={basis.range ?? null}
          className="figure-value"
        />
      )}
      <div className="figure-note">{note}</div>
    </div>
  )
}

/**
 * The parts of a figure in a column, each in a sub-column of its own: the value, its unit, its
 * range. An undefined range leaves its sub-column empty; null leaves it out. The spaces are for
 * whoever hears or copies it.
 */
export function FigureParts({ quantity, range }: { quantity: Quantity; range: string | undefined | null }) {
  return (
    <>
      <span className="number">{quantity.number}</span> <span className="unit">{quantity.unit}</span>{' '}
      {range !== null && <span className="range">{range}</span>}
    </>
  )
}

interface KnowProps {
  readonly label: string
  readonly exactly: string
  readonly basis: Basis
  /** The figure, in sub-columns; without it there is a mark alone. */
  readonly shown?: Quantity
  /** The unit of the range where there is a mark alone. */
  readonly unit?: string | undefined
  /** Its range: undefined leaves the sub-column empty, null leaves it out. */
  readonly range?: string | undefined | null
  readonly className: string
  /**
   * False where Tab would have to pass hundreds: the row is picked then, and its figures are
   * elsewhere.
   */
  readonly isTabStop?: boolean
  /** False where the mark is elsewhere, such as in the head of a column. */
  readonly isMarked?: boolean
  /** A sign behind the figure. */
  readonly children?: ReactNode
}

/** How long the pointer rests on a figure before its exact value is shown, in milliseconds. */
const TOOLTIP_DELAY_MS = 300

/** How long after the last scroll the value of a focused figure is shown again, in milliseconds. */
const SCROLLED_DELAY_MS = 100

/**
 * The button that a figure or a mark is, with its tooltip (the exact value) and its popover (where
 * it comes from). Both are made when they are asked for: a page has hundreds of figures, and
 * drawing must not keep a person waiting.
 */
export function HowDoWeKnow(props: KnowProps) {
  const {
    label,
    exactly,
    basis,
    shown: figure,
    range,
    className,
    children,
    isTabStop = true,
    isMarked = true,
  } = props
  const [shown, setShown] = useState<'tooltip' | 'dialog' | null>(null)
  const [landmark, setLandmark] = useState<Element | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const timer = useRef(0)
  /**
   * The focus that comes next is by the pointer, or comes back from the dialog: it asks for
   * nothing.
   */
  const isQuiet = useRef(false)
  const isFocused = useRef(false)
  const soon = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      setLandmark(button.current?.closest('main, header, footer') ?? null)
      setShown((was) => was ?? 'tooltip')
    }, delayMs)
  }
  const leave = () => {
    clearTimeout(timer.current)
    isFocused.current = false
    setShown((was) => (was === 'tooltip' ? null : was))
  }
  /** Focus itself scrolls to what was out of sight. */
  const scrolled = () => {
    const isAsked = isFocused.current
    leave()
    if (!isAsked) return
    isFocused.current = true
    soon(SCROLLED_DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <>
      <button
        ref={button}
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        className={className}
        aria-label={askWords(props)}
        aria-haspopup="dialog"
        aria-expanded={shown === 'dialog'}
        onPointerEnter={() => soon(TOOLTIP_DELAY_MS)}
        onPointerLeave={leave}
        onPointerDown={() => (isQuiet.current = true)}
        onFocus={() => {
          isFocused.current = !isQuiet.current
          if (isFocused.current) soon(0)
          isQuiet.current = false
        }}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
        onClick={() => {
          clearTimeout(timer.current)
          isQuiet.current = false
          setShown('dialog')
        }}
      >
        {figure && <FigureParts quantity={figure} range={range} />}
        {children}
        {isMarked && <ProvenanceMark provenance={basis.provenance} />}
      </button>
      {shown === 'tooltip' && (
        <TooltipTriggerStateContext
          value={{ isOpen: true, shouldSkipAnimation: true, open: () => {}, close: scrolled }}
        >
          <Tooltip
            className="tooltip"
            placement="bottom start"
            offset={4}
            triggerRef={button}
            // Within a landmark, as all that can be read.
            {...(landmark && { UNSTABLE_portalContainer: landmark })}
          >
            {exactly}
          </Tooltip>
        </TooltipTriggerStateContext>
      )}
      {shown === 'dialog' && (
        <Popover
          className="popover"
          placement="bottom start"
          offset={6}
          triggerRef={button}
          isOpen
          onOpenChange={(isOpen) => {
            if (isOpen) return
            isQuiet.current = true
            setShown(null)
          }}
        >
          <KnowDialog label={label} exactly={exactly} basis={basis} unit={figure?.unit ?? props.unit} />
        </Popover>
      )}
    </>
  )
}

/** The name of a figure's button for screen readers, with the words that are seen. */
function askWords({ label, exactly, basis, shown, range }: KnowProps): string {
  const seen = shown ? [shown.number, shown.unit, range ?? ''].filter((part) => part !== '').join(' ') : ''
  return t('provenance.name', {
    label,
    figure:
      seen === '' || `${exactly} `.startsWith(`${seen} `)
        ? exactly
        : t('provenance.exactly', { seen, exactly }),
    provenance: t(`provenance.${basis.provenance}`),
    ask: t('column.provenance'),
  })
}

function KnowDialog({
  label,
  exactly,
  basis,
  unit,
}: Pick<KnowProps, 'label' | 'exactly' | 'basis'> & { unit: string | undefined }) {
  return (
    <Dialog className="know">
      <Heading slot="title">{t('column.provenance')}</Heading>
      <p className="know-kind">
        <ProvenanceMark provenance={basis.provenance} />{' '}
        <strong>{t(`provenance.${basis.provenance}`)}</strong>{' '}
        <span className="muted">{t(`provenance.${basis.provenance}.means`)}</span>
      </p>
      <dl>
        <dt className="muted">{label}</dt>
        <dd>{exactly}</dd>
        {basis.range !== undefined && (
          <>
            <dt className="muted">{t('provenance.range')}</dt>
            <dd>{unit ? `${basis.range} ${unit}` : basis.range}</dd>
          </>
        )}
      </dl>
      <p>{spoken(basis.text)}</p>
    </Dialog>
  )
}

/** A size as a Figure's parts. */
export function sizeFigure(bytes: number | null, units: Units) {
  return bytes === null
    ? { quantity: null, exactly: '' }
    : { quantity: sizeQuantity(bytes, units), exactly: formatExactBytes(bytes) }
}

/** A count as a Figure's parts. */
export function countFigure(count: number | null, noun: string) {
  return count === null
    ? { quantity: null, exactly: '' }
    : { quantity: { number: formatCount(count), unit: '' }, exactly: `${formatCount(count)} ${noun}` }
}

/** The range of a size that is not exact, in its own unit. */
export function rangeOf(
  figure: { readonly low: number; readonly high: number; readonly exact: boolean },
  value: number,
  units: Units,
): string | undefined {
  return figure.exact ? undefined : formatSizeRange(value, figure.low, figure.high, units)
}
