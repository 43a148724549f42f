import { describe, expect, it } from 'vitest'
import { stateOf } from './key-state.ts'

const now = new Date('2026-03-01T00:00:00Z')
const key = { revoked_at: null, expires_at: null, disabled: false }

describe('the state of a key', () => {
  it.each([
    [{}, 'good', 'valid'],
    [{ disabled: true }, 'warn', 'disabled'],
    [{ expires_at: '2026-02-28T00:00:00Z' }, 'warn', 'expired'],
    [{ expires_at: '2026-02-28T00:00:00Z', disabled: true }, 'warn', 'expired'],
    [{ revoked_at: '2026-02-28T00:00:00Z', disabled: true }, 'quiet', 'revoked'],
    [{ expires_at: '2027-01-01T00:00:00Z', disabled: true }, 'warn', 'disabled'],
  ])('shows a key with %j as %s: %s', (differences, tone, words) => {
    expect(stateOf({ ...key, ...differences }, now)).toEqual([tone, words])
  })

  it('names the end of a key that expires later', () => {
    expect(stateOf({ ...key, expires_at: '2027-01-01T00:00:00Z' }, now)).toEqual([
      'good',
      expect.stringMatching('^until '),
    ])
  })
})
