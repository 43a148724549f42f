import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { ConversationRequest } from './conversation-request.ts'

/** @throws ProviderFailure for a choice that requires a call, where the upstream gets no tool */
export function refuseChoiceWithoutTools({ toolChoice: choice, tools, names }: ConversationRequest): void {
  const isRequired =
    choice?.type === 'allowed' ? choice.required : choice && choice.type !== 'auto' && choice.type !== 'none'
  if (!isRequired) return
  const name = names.toolChoice ?? 'tool_choice'
  throw unsupportedParameter(
    name,
    tools.length === 0
      ? `'${name}' requires a tool, but the request has no tools.`
      : 'None of the tools is supported with this model.',
  )
}
