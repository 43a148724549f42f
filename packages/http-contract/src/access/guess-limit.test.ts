import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AdminVerdict } from './admin-check.ts'
import { limitGuesses } from './guess-limit.ts'

const right = { password: 'secret' }
let guesses = 0
/** Different ones at each call, because repeated ones do not count. */
const wrong = () => {
  guesses += 1
  return { password: `wrong ${guesses}` }
}
const isRight = ({ password }: { readonly password: string }) => password === 'secret'

const from = (remoteAddress: string | undefined) => ({ remoteAddress })
const OWNER = from('192.0.2.1')
const OTHER = from('198.51.100.7')

/** The address of one of many machines. */
const machine = (index: number) => from(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

function guess(admin: ReturnType<typeof limitGuesses>, times: number, peer = OTHER): readonly AdminVerdict[] {
  return Array.from({ length: times }, () => {
    const verdict = admin(wrong(), peer)
    if (typeof verdict === 'object' && 'then' in verdict) throw new Error('the guess was delayed')
    return verdict
  })
}

describe('limitGuesses for one source', () => {
  it('checks five wrong passwords, then one after 1, 2, 4 seconds and so on up to 60', async () => {
    const admin = limitGuesses(isRight)
    expect(guess(admin, 7)).toEqual([...Array(5).fill(false), { retryAfterSeconds: 1 }, { retryAfterSeconds: 1 }])
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(guess(admin, 1)).toEqual([{ retryAfterSeconds: seconds }])
      await wait(seconds)
      expect(guess(admin, 1)).toEqual([false])
    }
  })

  it('checks at most 100 wrong passwords in an hour', async () => {
    let compared = 0
    const admin = limitGuesses(() => {
      compared += 1
      return false
    })
    for (let second = 0; second < 3600; second += 1) {
      for (let burst = 0; burst < 10; burst += 1) await admin(wrong(), OTHER)
      await wait(1)
    }
    expect(compared).toBeLessThanOrEqual(100)
  })

  it('accepts right credentials from any other source', () => {
    const admin = limitGuesses(isRight)
    guess(admin, 10_000)
    expect(admin(right, OWNER)).toBe(true)
  })

  it('refuses right credentials until the source has waited', async () => {
    const admin = limitGuesses(isRight)
    guess(admin, 5)
    expect(admin(right, OTHER)).toEqual({ retryAfterSeconds: 1 })
    await wait(1)
    expect(admin(right, OTHER)).toBe(true)
  })

  it('lets a source that presented right credentials wait at most 1 second', async () => {
    const admin = limitGuesses(isRight)
    guess(admin, 5)
    for (let index = 0; index < 8; index += 1) {
      await wait(60)
      guess(admin, 1)
    }
    await wait(60)
    expect(admin(right, OTHER)).toBe(true)
    guess(admin, 1)
    expect(admin(right, OTHER)).toEqual({ retryAfterSeconds: 1 })
  })

  it('forgets guesses after 15 minutes', async () => {
    const admin = limitGuesses(isRight)
    guess(admin, 5)
    await wait(15 * 60)
    expect(guess(admin, 5)).toEqual(Array(5).fill(false))
  })

  it('refuses repeated wrong credentials without a wait, and counts them once', async () => {
    let compared = 0
    const admin = limitGuesses((credentials) => {
      compared += 1
      return isRight(credentials)
    })
    for (let index = 0; index < 1000; index += 1) expect(admin({ password: 'old' }, OTHER)).toBe(false)
    expect(compared).toBe(1)
    expect(admin(right, OTHER)).toBe(true)
    expect(guess(admin, 5).at(-1)).toEqual(expect.objectContaining({ retryAfterSeconds: 1 }))
    expect(admin({ password: 'old' }, OTHER)).toBe(false)
    expect(admin({ username: 'old', password: 'old' }, OTHER)).toEqual({ retryAfterSeconds: 1 })
  })

  it('treats all addresses of an IPv6 network as one source', () => {
    const admin = limitGuesses(isRight)
    for (let index = 1; index <= 5; index += 1) guess(admin, 1, from(`2001:db8::${index}`))
    expect(admin(right, from('2001:db8::6'))).toEqual({ retryAfterSeconds: 1 })
    expect(admin(right, from('2001:db8:0:1::6'))).toBe(true)
  })

  it('checks one guess at a time when the check is asynchronous', async () => {
    const admin = limitGuesses(async (credentials) => isRight(credentials))
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => admin(wrong(), OTHER)))
    expect(verdicts.filter((verdict) => verdict === false)).toHaveLength(16)
    await wait(60)
    const later = await Promise.all(Array.from({ length: 100 }, () => admin(wrong(), OTHER)))
    expect(later.filter((verdict) => verdict === false)).toHaveLength(1)
  })
})

describe('limitGuesses for many sources', () => {
  const flooded = () => {
    const admin = limitGuesses(isRight)
    expect(admin(right, OWNER)).toBe(true)
    let index = 0
    while (!(admin(wrong(), machine(index)) instanceof Promise)) index += 1
    const flood = () => {
      for (let more = 0; more < 1000; more += 1) {
        index += 1
        void admin(wrong(), machine(index))
      }
    }
    return { admin, flood, index }
  }

  it('delays right credentials of an unknown source by at most 2 seconds', async () => {
    const { admin, index } = flooded()
    expect(index).toBe(21)
    for (let round = 0; round < 100; round += 1) {
      void admin(wrong(), machine(1000 + round))
      await wait(2)
    }
    const verdict = admin(right, OTHER)
    let settled: AdminVerdict | undefined
    void Promise.resolve(verdict).then((found) => {
      settled = found
    })
    await wait(2)
    expect(settled).toBe(true)
  })

  it('accepts a source that presented right credentials within a day without a delay', async () => {
    const { admin, flood } = flooded()
    flood()
    await wait(1)
    flood()
    expect(admin(right, OWNER)).toBe(true)
    expect(admin(right, OWNER)).toBe(true)
  })

  it('accepts the owner after 2 seconds while thousands of sources guess', async () => {
    const admin = limitGuesses(isRight)
    for (let index = 0; index < 9_000; index += 1) void admin(wrong(), machine(index))
    const verdict = admin(right, OWNER)
    await wait(2)
    expect(await verdict).toBe(true)
  })

  it('refuses further requests without a check while 10,000 wait', async () => {
    let compared = 0
    const admin = limitGuesses(() => {
      compared += 1
      return false
    })
    for (let index = 0; index < 12_000; index += 1) void admin(wrong(), machine(index))
    expect(vi.getTimerCount()).toBe(10_000)
    expect(admin(wrong(), machine(50_000))).toEqual({ retryAfterSeconds: 1 })
    await wait(2)
    expect(compared).toBe(21 + 10_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('delays no source 10 minutes after the last guess', async () => {
    const { admin, flood } = flooded()
    for (let round = 0; round < 30; round += 1) {
      flood()
      await wait(2)
    }
    await wait(10 * 60)
    expect(admin(right, OTHER)).toBe(true)
  })
})

describe('limitGuesses for callers without an address', () => {
  it('delays them after many guesses, and refuses none', async () => {
    const admin = limitGuesses(isRight)
    for (let index = 0; index < 21; index += 1) expect(admin(wrong())).toBe(false)
    const verdict = admin(right)
    expect(verdict).toBeInstanceOf(Promise)
    await wait(2)
    expect(await verdict).toBe(true)
  })

  it('delays at most 256 of them at the same time, and callers with an address independently', async () => {
    const admin = limitGuesses(isRight)
    for (let index = 0; index < 600; index += 1) void admin(wrong())
    expect(vi.getTimerCount()).toBe(256)
    expect(admin(right)).toEqual({ retryAfterSeconds: 1 })
    const verdict = admin(right, OWNER)
    await wait(2)
    expect(await verdict).toBe(true)
  })
})

describe('onLogin of limitGuesses', () => {
  const watched = () => {
    const logins: unknown[] = []
    const admin = limitGuesses(isRight, { onLogin: ({ remoteAddress }) => logins.push(remoteAddress) })
    return { admin, logins }
  }

  it('reports one login for each source, and another after an hour without requests', async () => {
    const { admin, logins } = watched()
    for (let minute = 0; minute < 120; minute += 1) {
      admin(right, OWNER)
      admin(right, OTHER)
      await wait(60)
    }
    expect(logins).toEqual(['192.0.2.1', '198.51.100.7'])
    await wait(60 * 60)
    admin(right, OWNER)
    expect(logins).toHaveLength(3)
  })

  it('reports a login again after wrong credentials', () => {
    const { admin, logins } = watched()
    vi.advanceTimersByTime(1)
    admin(right, OWNER)
    vi.advanceTimersByTime(1)
    admin(wrong(), OWNER)
    expect(logins).toHaveLength(1)
    vi.advanceTimersByTime(1)
    admin(right, OWNER)
    admin(right, OWNER)
    expect(logins).toHaveLength(2)
  })
})
