import type { ChatCompletionRequest } from '@trivium/gateway-core/ports'

/** The two names of the token limit. Newer models refuse the first, older servers accept only the first. */
export type TokenLimitName = 'max_tokens' | 'max_completion_tokens'

/** Returns the changes that rename the limit of a request; `undefined` if it has this name, both, or no limit. */
export function renamedTokenLimit(
  body: ChatCompletionRequest,
  name: TokenLimitName | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (name === undefined) return undefined
  const other = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (typeof body[name] === 'number' || typeof body[other] !== 'number') return undefined
  return { [other]: undefined, [name]: body[other] }
}

/** Returns the name that the upstream accepts, if it refused the other one; otherwise `undefined`. */
export function acceptedTokenLimitName(
  body: ChatCompletionRequest,
  { status, text }: { readonly status: number; readonly text: string },
): TokenLimitName | undefined {
  if (status !== 400 && status !== 422) return undefined
  if (
    typeof body.max_tokens === 'number' &&
    /max_tokens/.test(text) &&
    /'?max_completion_tokens'? instead/.test(text)
  ) {
    return 'max_completion_tokens'
  }
  const unknown = /unsupported|unrecognized|unknown|unexpected|not permitted|extra[_ ](inputs|forbidden|fields)/i
  if (typeof body.max_completion_tokens === 'number' && /max_completion_tokens/.test(text) && unknown.test(text)) {
    return 'max_tokens'
  }
  return undefined
}
