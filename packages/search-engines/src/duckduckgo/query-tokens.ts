import { invalidAnswer } from '../calls/answer-failure.ts'
import type { Session } from './session.ts'

/** The token `vqd` of a query, which `i.js` and `news.js` require. */
export interface QueryTokens {
  find(text: string, signal: AbortSignal): Promise<string>
  /** Drops a refused token, so that the next `find` requests another. @returns whether there was one */
  forget(text: string): boolean
}

export interface QueryTokensOptions {
  readonly session: Session
  readonly now: () => Date
}

const LIFETIME_MS = 3_600_000
const MAX_TOKENS = 500

export function queryTokens({ session, now }: QueryTokensOptions): QueryTokens {
  const tokens = new Map<string, { readonly token: string; readonly expiresAt: number }>()
  return {
    find: async (text, signal) => {
      const known = tokens.get(text)
      if (known && known.expiresAt > now().getTime()) return known.token
      const url = new URL(session.site)
      url.searchParams.set('q', text)
      const page = await session.ask({ url }, signal)
      if (page.includes('challenge-form')) throw session.blocked()
      const token = /\bvqd=["']?([\w-]{5,200})/.exec(page)?.[1]
      if (token === undefined) throw invalidAnswer()
      const oldest = tokens.keys().next()
      if (tokens.size >= MAX_TOKENS && !oldest.done) tokens.delete(oldest.value)
      tokens.delete(text)
      tokens.set(text, { token, expiresAt: now().getTime() + LIFETIME_MS })
      return token
    },
    forget: (text) => tokens.delete(text),
  }
}
