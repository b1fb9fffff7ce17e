import { t } from '../copy'

/** The name of an extension for people: `.cr2`, or words for none and for all others. */
export function extensionName(extension: string | null): string {
  if (extension === null) return t('types.rest')
  return extension === '' ? t('types.noExtension') : `.${extension}`
}
