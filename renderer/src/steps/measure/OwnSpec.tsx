import { useRef, useState } from 'react'
import { Button, FileTrigger } from 'react-aria-components'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { MeasureSession } from './measureSession'
import { type SpecProblem, specProblems } from './measureState'

/** A specification is text that a person wrote; more than this is something else. */
const MOST_BYTES = 1024 * 1024

/**
 * A specification of one's own: written here or opened from a file, with what is wrong shown at its
 * line.
 */
export function OwnSpec({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form, problem } = useStateOf(MeasureSession)
  const [refused, setRefused] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const problems = problem?.code === 'bad-input' ? specProblems(problem.message) : []
  const wrong = new Set(problems.flatMap(({ line }) => line ?? []))
  const lines = form.ownText.split('\n')
  const write = (ownText: string, typed: boolean) => {
    setRefused(null)
    session.set({ ownText }, typed)
  }
  const open = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MOST_BYTES) return setRefused(t('spec.tooLarge'))
    try {
      write(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()), false)
    } catch {
      setRefused(t('spec.notText'))
    }
  }
  const goTo = ({ line, column }: SpecProblem) => {
    const before = lines.slice(0, (line ?? 1) - 1).reduce((length, text) => length + text.length + 1, 0)
    const place = before + (column ?? 1) - 1
    area.current?.focus()
    area.current?.setSelectionRange(place, place)
  }
  return (
    <div className="own-spec">
      <div className="row-actions">
        <label className="figure-label" htmlFor="own-spec">
          {t('spec.label')}
        </label>
        <FileTrigger
          acceptedFileTypes={['.yaml', '.yml', '.json']}
          onSelect={(files) => void open(files?.[0])}
        >
          <Button className="quiet" isDisabled={running}>
            {t('spec.open')}
          </Button>
        </FileTrigger>
        {form.ownText.trim() === '' && (
          <Button className="quiet" isDisabled={running} onPress={() => write(t('spec.example'), false)}>
            {t('spec.fromExample')}
          </Button>
        )}
      </div>
      <div className="spec-edit">
        <div ref={gutter} className="spec-gutter mono" aria-hidden="true">
          {lines.map((_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a line is its number
            <div key={index} className={wrong.has(index + 1) ? 'wrong' : undefined}>
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          ref={area}
          id="own-spec"
          className="mono"
          value={form.ownText}
          placeholder={t('spec.example')}
          disabled={running}
          spellCheck={false}
          wrap="off"
          rows={8}
          aria-invalid={problems.length > 0}
          aria-describedby="own-spec-problems"
          onChange={(event) => write(event.currentTarget.value, true)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <ul id="own-spec-problems" className="spec-problems" role="status" aria-label={t('spec.problems')}>
        {refused !== null && <li className="bad">{refused}</li>}
        {problems.map((each) => (
          <li key={`${each.line} ${each.column} ${each.text}`}>
            {each.line !== null && (
              <Button
                className="link"
                aria-label={t('spec.goTo', { line: String(each.line) })}
                onPress={() => goTo(each)}
              >
                {t('spec.line', { line: String(each.line) })}
              </Button>
            )}{' '}
            <span className="bad">{pathForDisplay(each.text)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
