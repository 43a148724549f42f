import { describe, expect, it } from 'vitest'
import { createMountLifetime } from './mount-lifetime.ts'

function recordedLifetime() {
  const calls: string[] = []
  const lifetime = createMountLifetime<string>({
    announce: (answer) => void calls.push(`announce ${answer}`),
    cut: (answer) => void calls.push(`cut ${answer}`),
  })
  return { calls, lifetime }
}

describe('createMountLifetime', () => {
  it('aborts `closing` when it begins to close, and closes immediately without a running answer', async () => {
    const { calls, lifetime } = recordedLifetime()
    lifetime.begin('a')
    lifetime.end('a')
    expect(lifetime.closing.aborted).toBe(false)
    const closed = lifetime.close()
    expect(lifetime.closing.aborted).toBe(true)
    await closed
    expect(calls).toEqual([])
  })

  it('announces the end to each running answer, and waits for all', async () => {
    const { calls, lifetime } = recordedLifetime()
    lifetime.begin('a')
    lifetime.begin('b')
    const closed = lifetime.close({ graceSeconds: 60 })
    let isClosed = false
    void closed.then(() => {
      isClosed = true
    })
    lifetime.end('a')
    lifetime.end('a')
    await Promise.resolve()
    expect(isClosed).toBe(false)
    lifetime.end('b')
    await closed
    expect(calls).toEqual(['announce a', 'announce b'])
  })

  it('cuts off what runs longer than the grace, also what began while it closed', async () => {
    const { calls, lifetime } = recordedLifetime()
    lifetime.begin('a')
    const closed = lifetime.close({ graceSeconds: 0 })
    lifetime.begin('b')
    await closed
    expect(calls).toEqual(['announce a', 'cut a', 'cut b'])
  })

  it('returns the first promise to later calls', () => {
    const { lifetime } = recordedLifetime()
    expect(lifetime.close()).toBe(lifetime.close({ graceSeconds: 1 }))
  })
})
