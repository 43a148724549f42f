import { Agent } from 'undici'
import { describe, expect, it } from 'vitest'
import { usableDispatcher } from './usable-dispatcher.ts'

describe('usableDispatcher', () => {
  it('returns a dispatcher of undici', () => {
    const agent = new Agent()
    expect(usableDispatcher(agent)).toBe(agent)
  })

  it('refuses the dispatcher of a runtime that replaces undici', () => {
    expect(() => usableDispatcher({ request: () => undefined })).toThrow('needs the package undici, which Bun replaces')
  })
})
