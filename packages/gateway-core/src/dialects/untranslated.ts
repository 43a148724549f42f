import { ProviderFailure } from '../providers/provider-error.ts'
import type { Dialect } from './dialect.ts'
import type { DialectTranslation } from './translation.ts'

/** A dialect that is not translated. */
export function untranslated(dialect: Dialect): DialectTranslation {
  const refuse = () => {
    throw new ProviderFailure({ type: 'unsupported', param: 'model', message: `${dialect} cannot be translated.` })
  }
  return {
    dialect,
    readRequest: refuse,
    writeRequest: refuse,
    readAnswer: refuse,
    writeAnswer: refuse,
    readEvents: refuse,
    writeEvents: refuse,
  }
}
