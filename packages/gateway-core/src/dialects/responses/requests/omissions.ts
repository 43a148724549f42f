/** What a writer leaves out, by the client's names. */
export type Omissions = Set<string>

const CACHE_MARK = 'cache_control'

/** Notes a mark of a prompt cache. OpenAI's models cache prompts without marks. */
export function omitCacheMark({ cacheControl }: { readonly cacheControl?: unknown }, omitted: Omissions): void {
  if (cacheControl !== undefined) omitted.add(CACHE_MARK)
}
