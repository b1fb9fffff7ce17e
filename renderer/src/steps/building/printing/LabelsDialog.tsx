import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { CASE_KINDS, type LabelsDocument } from '../../../../../src/contract/dto/labels'
import type { PlanDocument } from '../../../../../src/contract/dto/plan'
import type { WireError } from '../../../../../src/primitives/appError'
import { TextLine } from '../../../components/fields'
import { MenuButton } from '../../../components/MenuButton'
import { ModalDialog } from '../../../components/ModalDialog'
import { whatNow } from '../../../components/Notices'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { copyTyped } from '../../../format/typedCopy'
import { useFrame, useSession, useStateOf } from '../../../state/sessionContext'
import { RunSession } from '../runSession'
import { discsTyped, type LabelsForm, labelsAsked, mostDiscs } from './labelsForm'
import { PaperChoice } from './PaperChoice'
import './printing.css'

const CASES = ['medium', ...CASE_KINDS] as const

/** Asks for the labels to be printed for the discs of a plan, and on which paper. */
export function LabelsDialog({
  plan,
  directory,
  form,
  onChange,
  onMade,
  onClose,
}: {
  plan: PlanDocument
  /** The folder of the plan. */
  directory: string
  form: LabelsForm
  onChange: (form: LabelsForm) => void
  onMade: (made: LabelsDocument) => void
  onClose: () => void
}) {
  const session = useSession()
  const { language, settings } = useFrame()
  const font = useStateOf(RunSession, ({ labelFont }) => labelFont)
  const [isMaking, setIsMaking] = useState(false)
  const [refused, setRefused] = useState<{ out: string; error: WireError } | null>(null)
  const why = useRef<HTMLDivElement>(null)
  // In a low window the form scrolls, and this is at its end.
  useEffect(() => {
    if (refused !== null) why.current?.scrollIntoView({ block: 'nearest' })
  }, [refused])
  const most = mostDiscs(plan)
  const asked = labelsAsked(form, most)
  const make = async (out: string, force: boolean): Promise<void> => {
    if (asked === null) return
    setIsMaking(true)
    setRefused(null)
    const made = await session.call.plan.labels({
      directory,
      out,
      force,
      paper: settings.paper,
      language: language === 'de' ? 'de' : 'en',
      ...asked,
      ...(font !== null && { font }),
    })
    setIsMaking(false)
    if (made.ok) onMade(made.value)
    else setRefused({ out, error: made.error })
  }
  const choose = async (): Promise<void> => {
    const out = await session.call.app.chooseDirectory({ purpose: 'labels' })
    if (!out.ok) setRefused({ out: '', error: out.error })
    else if (out.value !== null) await make(out.value, false)
  }
  const change = (changes: Partial<LabelsForm>) => {
    setRefused(null)
    onChange({ ...form, ...changes })
  }
  return (
    <ModalDialog
      title={t('print.labels.title')}
      onClose={onClose}
      actions={
        <Button className="primary" isDisabled={asked === null || isMaking} onPress={() => void choose()}>
          {t('print.make')}
        </Button>
      }
    >
      <div className="stack near">
        <div className="labels-pair">
          <TextLine
            label={t('print.discs')}
            example={t('print.discs.all')}
            text={form.discs}
            isWrong={discsTyped(form.discs, most) === null}
            note={t(discsTyped(form.discs, most) === null ? 'print.discs.wrong' : 'print.discs.note', {
              most,
            })}
            longest={200}
            onChange={(discs) => change({ discs })}
          />
          <CopyLine copy={form.copy} onChange={(copy) => change({ copy })} />
        </div>
        <div className="labels-pair">
          <div className="field">
            <span className="field-name">{t('print.paper')}</span>
            <span>
              <PaperChoice />
            </span>
          </div>
          <div className="field">
            <span className="field-name">{t('print.case')}</span>
            <span>
              <MenuButton
                label={t('print.case')}
                name={t(`print.case.${form.caseKind ?? 'medium'}`)}
                placement="bottom start"
                all={CASES}
                chosen={form.caseKind ?? 'medium'}
                words={(each) => t(`print.case.${each}`)}
                onPick={(each) => change({ caseKind: each === 'medium' ? null : each })}
              />
            </span>
          </div>
        </div>
        <FontField font={font} onChange={() => setRefused(null)} />
        <ul className="plain-list muted small">
          <li>{t('print.actualSize')}</li>
          {plan.packing && <li>{t('print.packed')}</li>}
          {(plan.packing?.encryption ?? 'none') !== 'none' && <li>{t('print.encrypted')}</li>}
        </ul>
        <div ref={why} role="alert" className="labels-refused line">
          {refused !== null && (
            <>
              <span className="bad fills">
                {sentence(refused.error.message)} {whatNow(['labels'], refused.error.code)}
              </span>
              {refused.error.code === 'exists' && (
                <Button className="plain" onPress={() => void make(refused.out, true)}>
                  {t('print.replace')}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </ModalDialog>
  )
}

function CopyLine({ copy, onChange }: { copy: string; onChange: (copy: string) => void }) {
  const isWrong = copy.trim() !== '' && copyTyped(copy) === null
  return (
    <TextLine
      label={t('print.copy')}
      example={t('print.copy.none')}
      text={copy}
      isWrong={isWrong}
      note={t(isWrong ? 'write.copyNumber.wrong' : 'print.copy.note')}
      onChange={onChange}
    />
  )
}

/** The font for other scripts; it is kept while the window is open. */
function FontField({ font, onChange }: { font: string | null; onChange: () => void }) {
  const session = useSession()
  const runs = useSession(RunSession)
  const use = (next: string | null) => {
    runs.store.dispatch({ type: 'font', font: next })
    onChange()
  }
  const choose = async (): Promise<void> => {
    const chosen = await session.ask('build', session.call.app.chooseFont(undefined))
    if (chosen !== null) use(chosen)
  }
  return (
    <div className="field" role="group" aria-label={t('print.font')}>
      <span className="field-name">{t('print.font')}</span>
      {font !== null && <PathText path={font} />}
      <div className="row-actions">
        <Button className="plain" onPress={() => void choose()}>
          {t('print.font.choose')}
        </Button>
        {font !== null && (
          <Button className="quiet" onPress={() => use(null)}>
            {t('print.font.none')}
          </Button>
        )}
      </div>
      <div className="field-note">{t('print.font.note')}</div>
    </div>
  )
}
