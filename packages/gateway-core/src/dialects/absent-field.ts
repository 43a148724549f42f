import type { ProviderFailure } from '../providers/provider-error.ts'
import { shortName, unsupportedParameter } from '../providers/refused-parameter.ts'
import type { Dialect } from './dialect.ts'

const names: Readonly<Record<Dialect, string>> = {
  chat: 'chat completions, which have',
  responses: "OpenAI's responses, which have",
  messages: "Anthropic's messages, which have",
}

/** Creates the error for a field of a client that the dialect of the upstream does not have. */
export const absentField = (param: string, upstream: Dialect): ProviderFailure =>
  unsupportedParameter(
    param,
    `'${shortName(param)}' cannot be sent to this model: its upstream speaks ${names[upstream]} no such field. Remove it or use another model.`,
  )
