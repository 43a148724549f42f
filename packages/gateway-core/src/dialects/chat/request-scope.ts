import type { CacheMark } from '../conversation/conversation-parts.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import type { WriteRequestOptions } from '../translation.ts'
import { Omissions } from './omissions.ts'
import { type ToolNames, toolNames } from './tool-names.ts'

/** What the writers of one request share. */
export interface RequestScope {
  readonly request: ConversationRequest
  readonly options: WriteRequestOptions
  readonly names: ToolNames
  readonly omitted: Omissions
  /** Writes a mark of the cache, which only clients of chat completions send to upstreams that know it. */
  mark(part: CacheMark): JsonObject
}

export function requestScope(request: ConversationRequest, options: WriteRequestOptions): RequestScope {
  const omitted = new Omissions()
  return {
    request,
    options,
    names: toolNames(request.tools),
    omitted,
    mark: ({ cacheControl, markName }) => {
      if (cacheControl === undefined) return {}
      if (request.dialect === 'chat') return { cache_control: cacheControl }
      omitted.add(markName ?? request.names.cacheControl ?? 'cache_control')
      return {}
    },
  }
}
