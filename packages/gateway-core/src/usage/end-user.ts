import { isObject } from '../chat/is-object.ts'
import { UNWRITABLE } from './unwritable.ts'

/** Longer ids are cut. Those of Claude Code have about 200 characters. */
const MAX_LENGTH = 256

/** Returns the client's own id of its end user, as OpenAI's and Anthropic's requests name it. */
export function endUserIn(body: Readonly<Record<string, unknown>>): string | undefined {
  const { safety_identifier: identifier, user, metadata } = body
  const named = textIn(identifier) ?? textIn(user) ?? (isObject(metadata) ? textIn(metadata.user_id) : undefined)
  return named?.slice(0, MAX_LENGTH).replace(UNWRITABLE, '\ufffd')
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
