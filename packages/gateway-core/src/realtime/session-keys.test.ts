import { err, ok } from 'neverthrow'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ApiKey } from '../api-keys/api-key.ts'
import { SessionKeys } from './session-keys.ts'

const keyOf = (id: string) => ({ id, hash: `hash-${id}` }) as ApiKey // only these are read

function start() {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const ended = new Set<string>()
  const checked: string[] = []
  const faults: unknown[] = []
  const keys = new SessionKeys({
    check: (id) => {
      checked.push(id)
      if (id === 'broken') throw new Error('The store has failed')
      return ended.has(id) ? err({ type: 'api-key-unknown' }) : ok(keyOf(id))
    },
    onFault: (fault) => faults.push(fault),
  })
  const open = (id: string) => {
    const session = {
      reasons: [] as string[],
      end(reason: string) {
        session.reasons.push(reason)
        keys.delete(session)
      },
    }
    keys.add(session, { type: 'key', key: keyOf(id) })
    return session
  }
  return { keys, ended, checked, faults, open }
}

describe('SessionKeys', () => {
  it('checks keys every 5 seconds while a session is open', async () => {
    const { ended, checked, open } = start()
    const [one, other] = [open('1'), open('2')]
    await vi.advanceTimersByTimeAsync(5_000)
    expect([one.reasons, other.reasons]).toEqual([[], []])
    ended.add('1')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([one.reasons, other.reasons]).toEqual([['key-ended'], []])
    ended.add('2')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(other.reasons).toEqual(['key-ended'])
    expect(checked).toEqual(['1', '2', '1', '2', '2'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('checks keys after a notice, which may name one of them', async () => {
    const { keys, ended, checked, open } = start()
    const [one, other] = [open('1'), open('2')]
    ended.add('1').add('2')
    keys.check(keyOf('1').id)
    await vi.advanceTimersByTimeAsync(0)
    expect([one.reasons, other.reasons]).toEqual([['key-ended'], []])
    keys.check(undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect(other.reasons).toEqual(['key-ended'])
    expect(checked).toEqual(['1', '2'])
  })

  it('ends no session where the store has failed', async () => {
    const { faults, open } = start()
    const session = open('broken')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(session.reasons).toEqual([])
    expect(faults).toMatchObject([{ message: 'The store has failed' }])
    session.end('client-left')
  })
})
