import { ProviderFailure } from '../../providers/provider-error.ts'
import { absentField } from '../absent-field.ts'
import type { Dialect } from '../dialect.ts'
import type { ConversationRequest } from './conversation-request.ts'

/** Creates the error for a field of the client that has no place in the dialect of the upstream. */
export const unsupportedField = (
  { dialect }: Pick<ConversationRequest, 'dialect'>,
  name: string,
  upstream: Dialect,
): ProviderFailure => (dialect === 'messages' && name === 'thread' ? threadUnsupported() : absentField(name, upstream))

/** Anthropic's clients read the details, and then send the whole conversation without a thread. */
const threadUnsupported = (): ProviderFailure =>
  new ProviderFailure({
    type: 'unsupported',
    param: 'thread',
    message: "Threads are not supported with this model. Send the whole conversation without 'thread'.",
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  })
