import type { CacheMark } from '../../conversation/conversation-parts.ts'

/** What a writer leaves out, by the client's names. */
export type Omissions = Set<string>

const CACHE_MARK = 'cache_control'

/** Notes a mark of a prompt cache. OpenAI's models cache prompts without marks. */
export function omitCacheMark({ cacheControl, markName = CACHE_MARK }: CacheMark, omitted: Omissions): void {
  if (cacheControl !== undefined) omitted.add(markName)
}
