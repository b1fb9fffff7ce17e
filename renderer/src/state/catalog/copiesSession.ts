import {
  BUILT_COPY,
  type CopyNoteRequest,
  type LostCopies,
  type VolumeCopy,
} from '../../../../src/contract/dto/copies'
import { t } from '../../copy'
import { copyTyped } from '../../format/typedCopy'
import type { Page } from '../frame'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import type { CheckSession } from './checkSession'
import { initialCopies, type Placing, reduceCopies } from './copiesState'

/** Reasons and files that are shown. */
const SHOWN = 4

/** Everything a person can ask and note about copies and places; none of it rejects. */
export class CopiesSession extends SessionPart<{
  readonly check: CheckSession
  readonly sets: { open(planId: string, page: Page): Promise<void> }
  readonly runs: {
    readonly store: { get(): { readonly plan: { readonly id: string } | null } }
    beginAgain(volumes: readonly number[], copy: number, place: string | null): Promise<void>
  }
}> {
  readonly store = createStore(reduceCopies, initialCopies)
  protected readonly step = 'catalog'

  /**
   * Asks if the source of a survey may be deleted. An answer that another has overtaken is dropped.
   */
  async judge(surveyId: string): Promise<void> {
    this.window.clear('catalog')
    this.store.dispatch({ type: 'judging', surveyId })
    const verdict = await this.ask(this.call.copies.safe({ surveyId, limit: SHOWN }))
    if (this.store.get().judging === surveyId) this.store.dispatch({ type: 'judged', verdict })
  }

  /** Closes the verdict, and ends what works it out. */
  async close(): Promise<void> {
    const { judging } = this.store.get()
    this.store.dispatch({ type: 'judging', surveyId: null })
    if (judging !== null) await this.call.copies.stopSafe({ surveyId: judging })
  }

  /** Loads what the catalog knows of copies; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const listed = await this.call.copies.list(undefined)
    if (listed.ok) this.store.dispatch({ type: 'copies', copies: listed.value.copies })
  }

  /** Notes that a copy was lost, or found again, and offers to undo it. */
  async noteIs(kind: 'lost' | 'found', of: VolumeCopy): Promise<void> {
    if ((await this.#note({ of: volumeName(of), copy: of.copy, kind })) === null) return
    this.window.undoable({
      said: () => t(`copies.noted.${kind}`, { name: copyName(of) }),
      undo: () => void this.#note({ of: volumeName(of), copy: of.copy, kind: OPPOSITE[kind] }),
    })
  }

  /** Opens the set of lost or damaged copies where they are written, or built, again. */
  async writeAgain({
    planId,
    volumes,
    copy,
    place,
  }: Pick<LostCopies, 'planId' | 'volumes' | 'copy' | 'place'>): Promise<void> {
    if (planId === null) return
    const { sets, runs } = this.window
    await sets.open(planId, 'build')
    if (runs.store.get().plan?.id === planId) await runs.beginAgain(volumes, copy, place)
  }

  /** Notes that lost copies were found. */
  async noteFound({ planId, setId, labels, copy }: LostCopies): Promise<void> {
    for (const label of labels)
      if ((await this.#note({ of: `${planId ?? setId}:${label}`, copy, kind: 'found' })) === null) return
  }

  /** Asks where a copy is kept. */
  askPlace(of: VolumeCopy): void {
    const copy = of.copy === BUILT_COPY ? '' : String(of.copy)
    const placing = { of, copy, place: of.place ?? '', medium: of.medium ?? '', isOfAll: false }
    this.store.dispatch({ type: 'placing', placing })
  }

  /** Takes over what is typed; null takes the question back. */
  typePlace(change: Partial<Placing> | null): void {
    const { placing } = this.store.get()
    if (placing) this.store.dispatch({ type: 'placing', placing: change && { ...placing, ...change } })
  }

  /** Notes where the copy is kept that was asked about. */
  async notePlace(): Promise<void> {
    const { placing } = this.store.get()
    if (!placing) return
    const { of, copy, place, medium, isOfAll } = placing
    const noted = await this.#note({
      of: isOfAll ? setName(of) : volumeName(of),
      copy: copyTyped(copy) ?? BUILT_COPY,
      kind: 'place',
      place: place.trim(),
      medium: medium.trim() === '' ? null : medium.trim(),
    })
    if (noted !== null) this.typePlace(null)
  }

  /** Notes where these copies of one number and one set are kept. */
  async notePlaceOf(copies: readonly VolumeCopy[], place: string): Promise<void> {
    for (const of of copies) {
      const note = { of: volumeName(of), copy: of.copy, kind: 'place', place: place.trim() } as const
      if ((await this.ask(this.call.copies.note(note))) === null) break
    }
    await Promise.all([this.refresh(), this.window.check.refresh()])
  }

  async #note(note: Partial<CopyNoteRequest> & Pick<CopyNoteRequest, 'of' | 'copy' | 'kind'>) {
    this.window.clear('catalog')
    const noted = await this.ask(this.call.copies.note(note))
    await Promise.all([this.refresh(), this.window.check.refresh()])
    return noted
  }
}

const OPPOSITE = { lost: 'found', found: 'lost' } as const

/** For words: `PHOTOS_01, copy 2`. */
export function copyName({ label, copy }: VolumeCopy): string {
  return copy === BUILT_COPY ? t('copies.name.built', { label }) : t('copies.name', { label, copy })
}

function setName({ planId, setId }: VolumeCopy): string {
  return planId ?? setId ?? ''
}

/** Labels alone may be those of several sets. */
function volumeName(copy: VolumeCopy): string {
  return `${setName(copy)}:${copy.label}`
}
