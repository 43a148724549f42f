import { describe, expect, it } from 'vitest'
import type { Nanodollars } from '../money/dollars.ts'
import { type CostBounds, mostUseOf, type RequestBound } from './most-use.ts'

const dollars = (billionths: number) => billionths as Nanodollars // whole numbers here

/** 1 for a token of input, 10 for one of output. */
const costs: CostBounds = {
  mostOf: (_, { inputTokens, outputTokens }) => dollars(inputTokens + 10 * outputTokens),
  mostOutputTokens: () => 1_000,
}

const mostOf = (bound: RequestBound | undefined, left?: number, prices = costs) =>
  mostUseOf({ model: 'm', targets: [], tokens: 5, bound }, prices, left === undefined ? undefined : dollars(left))

describe('the most that a request can use', () => {
  it('counts the input and the limit of output of the request', () => {
    const most = mostOf({ inputTokens: 100, outputTokens: 20 })
    expect(most?._unsafeUnwrap()).toEqual({ tokens: 5, cost: 300 })
    expect(mostOf({ inputTokens: 100, outputTokens: 20 }, 299)).toBeUndefined()
  })

  it('reads what was written before in each further round', () => {
    // 3 rounds: 3 * 100 input, and the 20 tokens of the first twice, those of the second once.
    const most = mostOf({ inputTokens: 100, outputTokens: 20, rounds: 3 })
    expect(most?._unsafeUnwrap().cost).toBe(300 + 60 + 3 * 200)
  })

  it('limits the output of a request without a limit to that of the model', () => {
    const limits: number[] = []
    const bound = { inputTokens: 100, outputTokens: undefined, limitOutput: (tokens: number) => limits.push(tokens) }
    expect(mostOf(bound)?._unsafeUnwrap().cost).toBe(10_100)
    expect(mostOf({ ...bound, answers: 4 })?._unsafeUnwrap().cost).toBe(40_100)
    expect(limits).toEqual([1_000, 1_000])
  })

  it.each([
    [9_100, 450, 'half of what is left'],
    [5_240, 257, 'half of what is left'],
    [5_200, 510, 'all where half would be too little'],
    [2_660, 256, 'all where half would be too little'],
  ])('limits the output with %i left to %i tokens: %s', (left, expected) => {
    const limits: number[] = []
    const bound = { inputTokens: 100, outputTokens: undefined, limitOutput: (tokens: number) => limits.push(tokens) }
    expect(mostOf(bound, left)?._unsafeUnwrap().cost).toBe(100 + 10 * expected)
    expect(limits).toEqual([expected])
  })

  it.each([2_650, 100, 0])('exceeds what is left of %i', (left) => {
    expect(mostOf({ inputTokens: 100, outputTokens: undefined }, left)).toBeUndefined()
  })

  it('needs a price and a bound', () => {
    const unpriced: CostBounds = { mostOf: () => 'unknown', mostOutputTokens: () => undefined }
    expect(mostOf({ inputTokens: 1, outputTokens: 2 }, undefined, unpriced)?._unsafeUnwrapErr()).toEqual({
      type: 'model-not-priced',
      model: 'm',
    })
    expect(mostOf(undefined)?._unsafeUnwrapErr()).toEqual({ type: 'cost-unbounded' })
  })
})
