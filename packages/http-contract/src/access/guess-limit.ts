import type { Promisable } from 'type-fest'
import type { AdminCheck, AdminCredentials, AdminVerdict, Peer, TooManyGuesses } from './admin-check.ts'
import { digestOf } from './digest-of.ts'
import { sourceOf } from './source-of.ts'

/** Options of {@link limitGuesses}. */
export interface GuessLimitOptions {
  /**
   * Receives a login: right credentials from a source that has not presented them for an hour, or that has presented
   * wrong ones since. It is not called for each request. What it throws becomes the fault of that request.
   *
   * @default logins are not reported
   */
  readonly onLogin?: (peer: Peer) => void
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** Number of wrong credentials after which a source has to wait. */
const FREE_GUESSES = 5
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** Time without wrong credentials after which those of a source are forgotten. */
const SUSPECT_LIFETIME_MS = 15 * 60_000
const MAX_SUSPECTS = 10_000
/** Number of wrong credentials of a source that are recognised when they are repeated. */
const MOST_REMEMBERED = 16

/** Number of wrong credentials of all sources together that cause no delay, and how fast the count drains. */
const FREE_IN_TOTAL = 20
const DRAINED_EACH_MS = 1000
const MOST_IN_TOTAL = 600
const DELAY_EACH_MS = 50
const LONGEST_DELAY_MS = 2000
/** Requests that are delayed at the same time: in total, of one source, and of all callers without an address. */
const MAX_DELAYED = 10_000
const MOST_DELAYED_OF_SOURCE = 1
const MOST_DELAYED_OF_UNKNOWN = 256
/** Checks of one source that run at the same time, before it has presented right credentials. */
const MAX_RUNNING = 16

/** Time for which a source that presented right credentials is not delayed by guesses of others. */
const KNOWN_MS = 24 * 60 * 60_000
const LOGIN_MS = 60 * 60_000
const MAX_KNOWN = 1000

interface Suspect {
  guesses: number
  /** Digests of the last wrong credentials. */
  readonly wrong: readonly number[]
  lastAt: number
  waitsUntil: number
}

/**
 * Wraps a check of credentials so that callers who guess are slowed down, in bounded memory.
 *
 * A source is an IPv4 address or the first 64 bits of an IPv6 one. After 5 wrong credentials it waits 1 second until
 * its credentials are checked again, then 2, 4 and so on up to 60. Until then it is refused without a check, also with
 * right credentials. Right credentials from other sources are accepted immediately, or after at most 2 seconds while
 * many sources present wrong ones. A source that presented right ones within a day is not delayed for that. At most
 * 10,000 requests are delayed at the same time, one of each source. Further ones are refused without a check.
 *
 * Repeated wrong credentials do not count, and are refused without a wait, so that a program with an old password locks
 * no one out. Callers without a known address are only delayed, at most 256 at the same time. Further ones are refused
 * without a check.
 *
 * @param check compares in constant time, as `adminCheck` does; a rejection is passed on and does not count as a guess
 *
 * @example
 * ```ts
 * import { createHash, timingSafeEqual } from 'node:crypto'
 * import { limitGuesses } from '@trivium/http-contract'
 *
 * const digest = (text: string) => createHash('sha256').update(text).digest()
 * const expected = digest('correct horse battery')
 *
 * export const admin = limitGuesses(({ password }) => timingSafeEqual(digest(password), expected), {
 *   onLogin: ({ remoteAddress }) => console.log(`The admin has logged in from ${remoteAddress}`),
 * })
 * ```
 */
export function limitGuesses(
  check: (credentials: AdminCredentials) => Promisable<boolean>,
  { onLogin, now = () => performance.now() }: GuessLimitOptions = {},
): AdminCheck {
  const suspects = new Map<string, Suspect>()
  const known = new Map<string, number>()
  const running = new Map<string, number>()
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1))
  let wrongOfAllSources = 0
  let drainedAt = now()
  let delayed = 0

  const drainedCount = (at: number): number => {
    wrongOfAllSources = Math.max(0, wrongOfAllSources - (at - drainedAt) / DRAINED_EACH_MS)
    drainedAt = at
    return wrongOfAllSources
  }
  const delayOf = (source: string, at: number): number => {
    const loggedInAt = source === UNKNOWN ? undefined : known.get(source)
    if (loggedInAt !== undefined && at - loggedInAt < KNOWN_MS) return 0
    return Math.min(LONGEST_DELAY_MS, Math.max(0, drainedCount(at) - FREE_IN_TOTAL) * DELAY_EACH_MS)
  }
  const suspectOf = (source: string, at: number): Suspect | undefined => {
    const suspect = suspects.get(source)
    if (!suspect || at - suspect.lastAt < SUSPECT_LIFETIME_MS) return suspect
    suspects.delete(source)
    return undefined
  }
  const isBusy = (source: string): boolean => {
    if (source === UNKNOWN) return false
    const others = running.get(source) ?? 0
    return others >= ((suspects.get(source)?.guesses ?? 0) >= FREE_GUESSES ? 1 : MAX_RUNNING) && !known.has(source)
  }

  const settle = (isRight: boolean, { source, digest, peer }: Guess): boolean => {
    const at = now()
    if (isRight) admit(source, at, peer)
    else recordWrongGuess(source, digest, at)
    return isRight
  }
  const admit = (source: string, at: number, peer: Peer) => {
    const suspect = suspects.get(source)
    const before = known.get(source)
    remember(known, source, at, MAX_KNOWN)
    // An attacker may share the source: it still waits, but the owner at most 1 second.
    if (suspect) suspect.guesses = Math.min(suspect.guesses, FREE_GUESSES - 1)
    const isLogin =
      before === undefined || at - before >= LOGIN_MS || (suspect !== undefined && suspect.lastAt > before)
    if (isLogin) onLogin?.(peer)
  }
  const recordWrongGuess = (source: string, digest: number, at: number) => {
    wrongOfAllSources = Math.min(MOST_IN_TOTAL, drainedCount(at) + 1)
    if (source === UNKNOWN) return
    const before = suspectOf(source, at)
    const guesses = (before?.guesses ?? 0) + 1
    const wrong = [digest, ...(before?.wrong ?? [])].slice(0, MOST_REMEMBERED)
    const wait = guesses < FREE_GUESSES ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (guesses - FREE_GUESSES))
    remember(suspects, source, { guesses, wrong, lastAt: at, waitsUntil: at + wait }, MAX_SUSPECTS)
  }

  const run = async (source: string, work: () => Promise<boolean>): Promise<boolean> => {
    running.set(source, (running.get(source) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(source) ?? 1) - 1
      if (left > 0) running.set(source, left)
      else running.delete(source)
    }
  }
  const afterDelay = async (delay: number, credentials: AdminCredentials): Promise<boolean> => {
    delayed += 1
    try {
      await new Promise((resolve) => setTimeout(resolve, delay))
    } finally {
      delayed -= 1
    }
    return check(credentials)
  }

  return (credentials, peer = {}): Promisable<AdminVerdict> => {
    const at = now()
    const source = peer.remoteAddress === undefined ? UNKNOWN : sourceOf(peer.remoteAddress)
    const { username = '', password } = credentials
    const guess: Guess = { source, digest: digestOf(`${username}:${password}`, seed), peer }
    const suspect = suspectOf(source, at)
    if (suspect?.wrong.includes(guess.digest)) return false
    const waits = (suspect?.waitsUntil ?? 0) - at
    if (waits > 0) return tooMany(waits)
    if (isBusy(source)) return tooMany(FIRST_WAIT_MS)
    const delay = delayOf(source, at)
    if (delay > 0) {
      const most = source === UNKNOWN ? MOST_DELAYED_OF_UNKNOWN : MOST_DELAYED_OF_SOURCE
      if (delayed >= MAX_DELAYED || (running.get(source) ?? 0) >= most) return tooMany(delay)
      return run(source, async () => settle(await afterDelay(delay, credentials), guess))
    }
    const verdict = check(credentials)
    if (typeof verdict === 'boolean') return settle(verdict, guess)
    return run(source, async () => settle((await verdict) === true, guess))
  }
}

interface Guess {
  readonly source: string
  readonly digest: number
  readonly peer: Peer
}

/** The source of callers whose address the transport does not know. */
const UNKNOWN = ''

const tooMany = (milliseconds: number): TooManyGuesses => ({ retryAfterSeconds: Math.ceil(milliseconds / 1000) })

/** Puts an entry last, and removes the first if there are more than `most`. */
function remember<Value>(entries: Map<string, Value>, source: string, value: Value, most: number): void {
  entries.delete(source)
  entries.set(source, value)
  if (entries.size > most) entries.delete(entries.keys().next().value ?? source)
}
