import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../api-keys/api-key.ts'
import { createEvents } from './create-events.ts'

const key = {} as ApiKey

describe('createEvents', () => {
  it('calls each listener in order, also after one that throws', () => {
    const seen: string[] = []
    const faults: unknown[] = []
    const { events, emit } = createEvents((fault) => faults.push(fault))
    events.on('key.created', () => seen.push('first'))
    events.on('key.created', () => {
      throw new Error('the second listener')
    })
    events.on('key.created', () => seen.push('third'))
    emit('key.created', key)
    expect(seen).toEqual(['first', 'third'])
    expect(faults).toEqual([new Error('the second listener')])
  })

  it('calls a listener that was added with `once` one time, also where it throws', () => {
    const faults: unknown[] = []
    let calls = 0
    const { events, emit } = createEvents((fault) => faults.push(fault))
    const listener = () => {
      calls += 1
      throw new Error('once')
    }
    events.once('key.created', listener)
    events.on('key.created', () => {
      calls += 10
    })
    emit('key.created', key)
    emit('key.created', key)
    expect(calls).toBe(21)
    expect(faults).toHaveLength(1)
    expect(events.listenerCount('key.created')).toBe(1)
  })
})
