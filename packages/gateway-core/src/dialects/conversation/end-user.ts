import type { ConversationRequest } from './conversation-request.ts'

/** The most characters of a user that OpenAI accepts. */
const MOST = 64

/**
 * Returns the end user for an upstream in OpenAI's words. Clients of messages send longer ids, such as the JSON of Claude
 * Code, which OpenAI refuses: they are left out and listed.
 */
export function endUserOf(
  { dialect, settings: { user }, names }: ConversationRequest,
  omitted: { add(name: string): unknown },
): string | undefined {
  if (dialect !== 'messages' || user === undefined || user.length <= MOST) return user
  omitted.add(names.user ?? 'user')
  return undefined
}
