import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_NANODOLLARS } from '../money/dollars.ts'
import { bundledModels } from './bundled-models.ts'
import { BUNDLED_PRICES } from './bundled-prices.ts'
import { createPrices } from './create-prices.ts'
import type { Price } from './price.ts'

const own = (price: Price) => createPrices({ prices: { 'p/m': price }, bundledPrices: false })

describe('the price of a model', () => {
  it('comes from the longest name that matches, and replaces the bundled one as a whole', () => {
    const { priceOf, costOf } = createPrices({
      prices: { '*': { input: 1 }, 'openai/gpt-5*': { input: 2 }, 'openai/gpt-5-mini': { output: '3' } },
    })
    expect(priceOf('openai', 'gpt-5-mini')).toEqual({ output: '3' })
    expect(priceOf('openai', 'gpt-5-nano')).toEqual({ input: 2 })
    expect(priceOf('openai', 'gpt-4o')).toEqual({ input: 1 })
    expect(costOf('openai', 'gpt-5-mini', { inputTokens: 5, outputTokens: 1 })).toBe(3_000)
  })

  it.each([
    ['openai', 'gpt-5', '1.25'],
    ['any', 'gpt-5-2025-08-07', '1.25'],
    ['openrouter', 'openai/gpt-5-mini', '0.25'],
    ['anthropic', 'claude-sonnet-4-5-20250929', '3'],
    ['bedrock', 'us.anthropic.claude-opus-4-5-20251101-v1:0', '5'],
    ['google', 'models/gemini-2.5-flash-lite-preview-09-2025', '0.1'],
    ['mistral', 'mistral-large-latest', '0.5'],
    ['cohere', 'command-r-plus-08-2024', '2.5'],
    ['groq', 'openai/gpt-oss-120b', '0.15'],
    ['local', 'echo-no-llm', '0'],
  ])('comes from the bundled table for %s/%s', (provider, model, input) => {
    expect(createPrices().priceOf(provider, model)?.input).toBe(input)
  })

  it.each([
    ['other', 'openai/gpt-oss-120b'],
    ['openai', 'ft:gpt-4o:org'],
    ['openai', `${'gpt-5-'.repeat(99)}1234`],
    ['openai', 'gpt-7'],
  ])('stays unknown for %s/%s', (provider, model) => {
    const { priceOf, costOf, mostOf } = createPrices()
    expect(priceOf(provider, model)).toBeUndefined()
    expect(costOf(provider, model, { inputTokens: 1, outputTokens: 1 })).toBeUndefined()
    expect(mostOf([{ provider, model }], { inputTokens: 1, outputTokens: 1 })).toBe('unknown')
  })

  it('stays unknown without the bundled table, as do the most output tokens', () => {
    expect(createPrices().mostOutputTokens('openai', 'gpt-5')).toBe(128_000)
    const { priceOf, mostOutputTokens } = createPrices({ bundledPrices: false })
    expect(priceOf('openai', 'gpt-5')).toBeUndefined()
    expect(mostOutputTokens('openai', 'gpt-5')).toBeUndefined()
  })

  it.each([
    [{ input: -1 }, RangeError, /prices\.p\/m\.input/],
    [{ output: '1e3' }, RangeError, /prices\.p\/m\.output/],
    [{ image: 0.000_000_000_1 }, RangeError, /prices\.p\/m\.image/],
    [{ long: { above: 0 } }, RangeError, /prices\.p\/m\.long\.above/],
    [{ long: { above: 1, input: Number.NaN } }, RangeError, /prices\.p\/m\.long\.input/],
    [{ inputs: 1 }, TypeError, /prices\.p\/m\.inputs/],
    [{ images: { hd: -1 } }, RangeError, /prices\.p\/m\.images\.hd/],
    [{ priority: 101 }, RangeError, /prices\.p\/m\.priority/],
  ])('fails the creation where it is wrong: %j', (price: object, type, message) => {
    expect(() => own(price)).toThrow(type)
    expect(() => own(price)).toThrow(message)
  })
})

describe('the bundled table', () => {
  it('has a valid price for each line, and a size within its budget', () => {
    const models = bundledModels()
    expect(models.size).toBe(BUNDLED_PRICES.trim().split('\n').length)
    expect(models.size).toBeGreaterThan(150)
    for (const [name, { price }] of models) expect(() => createPrices({ prices: { [name]: price } })).not.toThrow()
    expect(BUNDLED_PRICES.length).toBeLessThan(20_000)
  })
})

describe('the cost of a request', () => {
  it('has cached, written, spoken and reasoned tokens at their own prices', () => {
    const { costOf } = own({
      input: 1,
      output: 10,
      cachedInput: 0.1,
      cacheWrite: 1.25,
      reasoning: 20,
      inputAudio: 40,
      outputAudio: 80,
    })
    const usage = { inputTokens: 1000, outputTokens: 100, cachedTokens: 600, cacheWriteTokens: 100 }
    expect(costOf('p', 'm', usage)).toBe(300_000 + 60_000 + 125_000 + 1_000_000)
    const sound = { ...usage, audioInputTokens: 50, audioOutputTokens: 30, reasoningTokens: 20 }
    expect(costOf('p', 'm', sound)).toBe(250_000 + 2_000_000 + 60_000 + 125_000 + 500_000 + 400_000 + 2_400_000)
  })

  it('has units, and the prices of a long input', () => {
    const { costOf } = own({
      input: 1,
      image: 0.04,
      request: 0.001,
      search: 0.01,
      audioMinute: 0.006,
      character: '0.000000005',
      long: { above: 100, input: 2 },
    })
    const none = { inputTokens: 0, outputTokens: 0 }
    expect(costOf('p', 'm', { ...none, images: 2, searches: 3 })).toBe(80_000_000 + 1_000_000 + 30_000_000)
    expect(costOf('p', 'm', { ...none, requests: 0, audioSeconds: 30, characters: 7 })).toBe(3_000_000 + 35)
    expect(costOf('p', 'm', { inputTokens: 100, outputTokens: 0, requests: 0 })).toBe(100_000)
    expect(costOf('p', 'm', { inputTokens: 101, outputTokens: 0, requests: 0 })).toBe(202_000)
  })

  it('has the price of the cache for an hour, of images, and the factor of a tier', () => {
    const { costOf } = own({ input: 1, cacheWrite: 2, cacheWriteHour: 4, inputImage: 8, priority: 3, flex: 0.5 })
    const usage = { inputTokens: 100, outputTokens: 0, cacheWriteTokens: 30, cacheWriteHourTokens: 10 }
    expect(costOf('p', 'm', usage)).toBe(70_000 + 40_000 + 40_000)
    expect(costOf('p', 'm', { ...usage, imageInputTokens: 20, cachedTokens: 90 })).toBe(160_000 + 80_000)
    expect(costOf('p', 'm', { ...usage, serviceTier: 'priority' })).toBe(450_000)
    expect(costOf('p', 'm', { ...usage, serviceTier: 'flex' })).toBe(75_000)
  })

  it('has the price of an image by its quality and its size', () => {
    const { costOf, mostOf } = own({ image: 1, images: { hd: 2, 'hd/1x2': 3 } })
    const costFor = (imageForm: object) => costOf('p', 'm', { inputTokens: 0, outputTokens: 0, images: 1, imageForm })
    expect([{}, { quality: 'hd' }, { quality: 'hd', size: '1x2' }, { size: '1x2' }].map(costFor)).toEqual([
      1e9, 2e9, 3e9, 1e9,
    ])
    const target = { provider: 'p', model: 'm' }
    const bound = { inputTokens: 0, outputTokens: 0, images: 1 }
    expect(mostOf([target], { ...bound, imageForm: { size: 'auto' } })).toBe(3e9)
    expect(mostOf([target], bound)).toBe(1e9)
  })

  it('has the fee of models that search for each answer, and no bound where they search as they decide', () => {
    const { costOf, mostOf } = createPrices()
    const none = { inputTokens: 0, outputTokens: 0 }
    for (const model of ['gpt-4o-search-preview', 'gpt-4o-mini-search-preview-2025-03-11'])
      expect(costOf('openai', model, none)).toBe(25_000_000)
    expect(mostOf([{ provider: 'perplexity', model: 'sonar-deep-research' }], none)).toBe('unbounded')
  })

  it('gets rounded up once, and reaches at most the largest amount', () => {
    const { costOf } = own({ input: '0.0001', output: '0.0001' })
    expect(costOf('p', 'm', { inputTokens: 1, outputTokens: 1 })).toBe(1)
    expect(costOf('p', 'm', { inputTokens: 0, outputTokens: 0 })).toBe(0)
    expect(own({ image: 8_000_000 }).costOf('p', 'm', { inputTokens: 0, outputTokens: 0, images: 9 })).toBe(
      MAX_NANODOLLARS,
    )
  })

  const rate = fc.integer({ min: 0, max: 100_000_000_000 })
  const text = (nanodollars: number) => `${Math.floor(nanodollars / 1e9)}.${String(nanodollars % 1e9).padStart(9, '0')}`

  it('equals the exact fraction, rounded up', () => {
    fc.assert(
      fc.property(rate, rate, rate, fc.nat(1e7), fc.nat(1e7), fc.nat(1e7), (input, cached, output, a, b, c) => {
        const { costOf } = own({ input: text(input), cachedInput: text(cached), output: text(output) })
        const exact = BigInt(input) * BigInt(a) + BigInt(cached) * BigInt(b) + BigInt(output) * BigInt(c)
        const cost = costOf('p', 'm', { inputTokens: a + b, cachedTokens: b, outputTokens: c })
        const least = BigInt(cost ?? -1) * 1_000_000n - exact
        expect(least >= 0n && least < 1_000_000n).toBe(true)
      }),
    )
  })

  it('never exceeds the most for its bound', () => {
    fc.assert(
      fc.property(
        fc.array(rate, { minLength: 10, maxLength: 10 }),
        fc.nat(1e6),
        fc.nat(1e6),
        fc.nat(1e6),
        (rates, a, b, c) => {
          const [
            input = 0,
            output = 0,
            cachedInput = 0,
            cacheWrite = 0,
            reasoning = 0,
            audio = 0,
            long = 0,
            search = 0,
            hour = 0,
            image = 0,
          ] = rates
          const prices = own({
            input: text(input),
            output: text(output),
            cachedInput: text(cachedInput),
            cacheWrite: text(cacheWrite),
            cacheWriteHour: text(hour),
            inputImage: text(image),
            reasoning: text(reasoning),
            outputAudio: text(audio),
            search: text(search),
            long: { above: 500_000, input: text(long) },
          })
          const used = {
            inputTokens: a + b,
            cachedTokens: b,
            cacheWriteTokens: c,
            cacheWriteHourTokens: a,
            imageInputTokens: b,
            serviceTier: 'priority' as const,
            outputTokens: c,
            reasoningTokens: a,
            searches: 2,
          }
          const most = prices.mostOf([{ provider: 'p', model: 'm' }], {
            inputTokens: a + b,
            outputTokens: c,
            searches: 2,
            hasLongCache: true,
            hasPriority: true,
          })
          expect(prices.costOf('p', 'm', used)).toBeLessThanOrEqual(typeof most === 'string' ? -1 : most)
        },
      ),
    )
  })

  it('has the dearest of several models as its bound', () => {
    const { mostOf } = createPrices({ prices: { 'a/m': { input: 1 }, 'b/m': { input: 3 } }, bundledPrices: false })
    const bound = { inputTokens: 10, outputTokens: 0 }
    const [one, other] = [
      { provider: 'a', model: 'm' },
      { provider: 'b', model: 'm' },
    ]
    expect(mostOf([one, other], bound)).toBe(30_000)
    expect(mostOf([one, { provider: 'c', model: 'm' }], bound)).toBe('unknown')
    expect(mostOf([], bound)).toBe('unknown')
  })
})
