import { requireBuilder, variantOf } from '../../engine/options/buildability'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { wipe } from '../../primitives/secretBytes'
import { onlyPositional, readArguments } from '../arguments'
import { OPTIONS_BUILD } from '../declarations/options'
import { passwordsOf } from '../passwords'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { printBuild } from './compareReport'
import { folderOption } from './folderOption'
import { surveyGiven } from './givenSurvey'
import { encryptionOf, noteUncalibrated, shareOf } from './optionDemands'
import { recipeStoring, storeAsIsOf, typesForCheck, typesToStore } from './storeAsIs'

/** `stowage options build`: builds one option and compares it with its forecast. */
export async function optionsBuildCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS_BUILD)
  const rules = values['option-for']
  const named = rules && positionals.length === 0 ? undefined : onlyPositional(positionals, 'option to build')
  const optionId = rules ? folderOption(rules, named && variantOf(named)) : (named ?? '')
  noteUncalibrated(values, out)
  if (values.survey === undefined) throw new AppError('usage', '--survey is missing')
  if (values.out === undefined) throw new AppError('usage', '--out is missing')
  const encryption = encryptionOf(values.encrypt) ?? 'none'
  const passwords = passwordsOf(values)
  if (encryption === 'none' && passwords.isGiven)
    throw new AppError('usage', 'a password is given without --encrypt 128 or 256')
  const path = absolutePath(values.out)
  const protection = values.protect === undefined ? 0 : shareOf(values.protect)
  // The option is checked before anyone is asked for a password.
  const variant = variantOf(optionId)
  const asIs = storeAsIsOf(values['store-as-is'])
  recipeStoring(variant, asIs, typesForCheck(asIs))
  await requireBuilder(variant, { encryption, protection })
  const password = encryption === 'none' ? null : await passwords.fresh(path)
  await using session = openSession(out)
  try {
    const surveyId = await surveyGiven(session, values.survey)
    const types = typesToStore(asIs, await session.engine.survey.get({ surveyId }), out)
    const { discard, force } = values
    const request = {
      surveyId,
      optionId: types.length === 0 ? optionId : recipeStoring(variant, asIs, types),
      path,
      encryption,
      protection,
      password,
      discard,
      force,
    }
    const buildId = await session.run(() => session.engine.options.build(request))
    const document = await session.engine.options.built({ buildId })
    out.document(document)
    printBuild(document, out)
    return EXIT.done
  } finally {
    wipe(password)
  }
}
