import { useState } from 'react'
import { Button, Form, Input, Label, TextField } from 'react-aria-components'
import { canBeMixed, folderRecipe, type OptionsDocument } from '../../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { MenuButton } from '../../../components/MenuButton'
import { spoken, t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { movedUp } from '../../../state/source/leaveOut'
import { OptionsSession } from '../optionsSession'

/** Rules by which each folder is packed by its own option: the first that matches a file counts. */
export function FolderRules({ document }: { document: OptionsDocument | null }) {
  const session = useSession(OptionsSession)
  const { folderRules, otherFiles } = useStateOf(OptionsSession).form
  const names = namesOf(document)
  const all = [...names.keys()]
  const rest = otherFiles ?? all[0]
  if (folderRules.length === 0 && (document?.preliminary || rest === undefined)) return null
  const words = (option: string): string => spoken(names.get(option) ?? option)
  return (
    <div className="folder-rules" role="group" aria-label={t('preferences.folders')}>
      <div className="figure-label">{t('preferences.folders')}</div>
      {folderRules.length > 0 && (
        <ol className="kept-patterns" aria-label={t('packing.rules')}>
          {folderRules.map((rule, at) => (
            <RuleRow
              key={rule}
              rule={rule}
              words={words}
              onUp={at === 0 ? null : () => session.set({ folderRules: movedUp(folderRules, at) })}
              onRemove={() => session.removeFolderRule(at)}
            />
          ))}
          {rest !== undefined && (
            <li>
              <span className="folder-rule">
                <span>{t('preferences.folders.rest')}</span>
                <MenuButton
                  className="words"
                  placement="bottom start"
                  label={t('preferences.folders.rest')}
                  name={otherFiles === null ? t('preferences.folders.rest.none') : words(otherFiles)}
                  all={all}
                  {...(otherFiles !== null && { chosen: otherFiles })}
                  words={words}
                  onPick={(option) => session.set({ otherFiles: option })}
                />
              </span>
            </li>
          )}
        </ol>
      )}
      {rest !== undefined && <NewRule all={all} rest={rest} words={words} />}
    </div>
  )
}

function RuleRow({
  rule,
  words,
  onUp,
  onRemove,
}: {
  rule: string
  words: (option: string) => string
  /** Null for the first. */
  onUp: (() => void) | null
  onRemove: () => void
}) {
  const at = rule.lastIndexOf('=')
  const pattern = pathForDisplay(rule.slice(0, at))
  return (
    <li>
      <span className="folder-rule">
        <span className="mono given-name selectable">{pattern}</span>
        <span className="muted small">{words(rule.slice(at + 1))}</span>
      </span>
      {onUp !== null && (
        <Button className="quiet" aria-label={t('rules.up.named', { rule: pattern })} onPress={onUp}>
          {t('rules.up')}
        </Button>
      )}
      <Button className="quiet" aria-label={t('rules.remove.named', { rule: pattern })} onPress={onRemove}>
        {t('rules.remove')}
      </Button>
    </li>
  )
}

/** @param rest the option of files without a rule, chosen or not yet */
function NewRule({
  all,
  rest,
  words,
}: {
  all: readonly string[]
  rest: string
  words: (option: string) => string
}) {
  const session = useSession(OptionsSession)
  const { folderRules } = useStateOf(OptionsSession).form
  const [pattern, setPattern] = useState('')
  const [picked, setPicked] = useState<string | null>(null)
  const option = picked ?? all.find((each) => each !== rest) ?? rest
  const asked = [...folderRules, `${pattern.trim()}=${option}`]
  const found = folderRecipe(asked, rest)
  const problem = pattern.trim() !== '' && 'refusal' in found ? sentence(spoken(found.refusal)) : null
  return (
    <Form
      className="folder-rule-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (pattern.trim() === '' || problem !== null) return
        session.set({ folderRules: [...new Set(asked)], otherFiles: rest })
        setPattern('')
      }}
    >
      <TextField className="field" value={pattern} isInvalid={problem !== null} onChange={setPattern}>
        <Label>{t('preferences.folders.pattern')}</Label>
        <Input placeholder="GoodNES/**" spellCheck="false" aria-describedby="folder-rules-note" />
      </TextField>
      <MenuButton
        className="words"
        placement="bottom start"
        label={t('preferences.folders.option')}
        name={words(option)}
        all={all}
        chosen={option}
        words={words}
        onPick={setPicked}
      />
      <Button className="plain" type="submit" isDisabled={pattern.trim() === '' || problem !== null}>
        {t('rules.add.action')}
      </Button>
      <div
        id="folder-rules-note"
        className={problem === null ? 'field-note' : 'field-note bad'}
        role="status"
      >
        {problem ?? t('preferences.folders.note')}
      </div>
    </Form>
  )
}

/** The names of the options that can be mixed, by their permanent names in order. */
function namesOf(document: OptionsDocument | null): ReadonlyMap<string, string> {
  const mixed = (document?.options ?? []).filter(({ variant }) => canBeMixed(variant))
  const names = mixed.map(({ variant, name }) => [variant, name] as const)
  return new Map(names.sort(([one], [other]) => (one < other ? -1 : 1)))
}
