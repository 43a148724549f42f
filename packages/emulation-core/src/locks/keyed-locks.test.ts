import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyedLocks } from './keyed-locks.ts'

describe('createKeyedLocks', () => {
  it('continues after a task has failed', async () => {
    const locks = createKeyedLocks()
    const failed = locks.exclusive('a', () => Promise.reject(new Error('no')))
    const next = locks.exclusive('a', async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })

  it('runs later shared tasks after an exclusive one that waits', async () => {
    const locks = createKeyedLocks()
    const order: string[] = []
    const gate = new Promise<void>((resolve) => setImmediate(resolve))
    await Promise.all([
      locks.shared('a', async () => {
        await gate
        order.push('shared 1')
      }),
      locks.exclusive('a', async () => void order.push('exclusive')),
      locks.shared('a', async () => void order.push('shared 2')),
      locks.exclusive('b', async () => void order.push('other key')),
    ])
    expect(order).toEqual(['other key', 'shared 1', 'exclusive', 'shared 2'])
  })

  it('never runs a task of a key at the same time as an exclusive one, and runs every task', async () => {
    const request = fc.record({ key: fc.constantFrom('a', 'b'), shared: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(request, { maxLength: 20 }), async (scheduler, requests) => {
        const locks = createKeyedLocks()
        const inside = new Map<string, { shared: number; exclusive: number }>()
        let done = 0
        const tasks = requests.map(({ key, shared }) =>
          locks[shared ? 'shared' : 'exclusive'](key, async () => {
            const holders = inside.get(key) ?? { shared: 0, exclusive: 0 }
            inside.set(key, holders)
            holders[shared ? 'shared' : 'exclusive'] += 1
            expect(holders.exclusive === 0 || (holders.exclusive === 1 && holders.shared === 0)).toBe(true)
            await scheduler.schedule(Promise.resolve())
            holders[shared ? 'shared' : 'exclusive'] -= 1
            done += 1
          }),
        )
        await scheduler.waitFor(Promise.all(tasks))
        expect(done).toBe(requests.length)
      }),
    )
  })
})
