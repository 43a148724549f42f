import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { checkArguments } from './check-arguments.ts'

const request = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z]+$/)),
  inner: v.optional(v.object({ id: v.string() })),
})

const receiving = (schema: v.GenericSchema | ((...values: readonly unknown[]) => v.GenericSchema) = request) =>
  checkArguments({ take: (value: unknown): unknown => value }, { take: [schema] })

/** Returns a function that returns one value after the other, and then the last one. */
const changing = (...values: readonly unknown[]) => {
  let reads = 0
  return () => {
    reads += 1
    return values[Math.min(reads, values.length) - 1]
  }
}

describe('checkArguments', () => {
  it('passes on what was passed where it has no getters', () => {
    const value = Object.freeze({ id: 'a', more: 1, inner: { id: 'b' } })
    expect(receiving().take(value)).toBe(value)
  })

  it('refuses a getter that returns a wrong value after the first', () => {
    const id = changing('a', '../../x')
    const value = {
      get id() {
        return id()
      },
    }
    expect(() => receiving().take(value)).toThrow(RangeError)
  })

  it('passes on what a getter returned in the check', () => {
    const id = changing('a', 'a', '../../x')
    const value = {
      more: 1,
      get id() {
        return id()
      },
    }
    expect(receiving().take(value)).toEqual({ id: 'a', more: 1 })
  })

  it('checks the members of objects and lists that getters return', () => {
    const list = v.object({ all: v.array(request) })
    const id = changing('a', 'b', 'c', '../../x')
    const value = {
      get all() {
        return [
          {
            get id() {
              return id()
            },
          },
        ]
      },
    }
    expect(receiving(list).take(value)).toEqual({ all: [{ id: 'b' }] })
  })

  it('leaves getters unread that the schema does not name', () => {
    let reads = 0
    const value = {
      get id() {
        return 'a'
      },
      get signal() {
        reads += 1
        return 'signal'
      },
    }
    const received = receiving().take(value)
    expect(reads).toBe(0)
    expect(received).toEqual({ id: 'a', signal: 'signal' })
  })

  it('chooses the schema by the value that is passed on', () => {
    const kind = changing('long', 'short')
    const value = {
      get kind() {
        return kind()
      },
      text: 'long text',
    }
    const ofKind = (given: unknown) =>
      v.object({
        kind: v.string(),
        text: v.is(v.object({ kind: v.literal('short') }), given) ? v.pipe(v.string(), v.maxLength(4)) : v.string(),
      })
    expect(() => receiving(ofKind).take(value)).toThrow(RangeError)
  })
})
