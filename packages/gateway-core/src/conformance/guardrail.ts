import type { Promisable } from 'type-fest'
import { describe, expect, it } from 'vitest'
import type {
  Guardrail,
  GuardrailContext,
  GuardrailFinding,
  GuardrailVerdict,
  ModerationResult,
} from '../guardrails/guardrail.ts'

/** A guardrail, and texts that it judges. */
export interface GuardrailExample {
  readonly guardrail: Guardrail
  /** It passes this text. */
  readonly harmless: string
  /** It does not pass this text, of 2 to 500 characters. */
  readonly harmful: string
  /** How moderation models of the gateway judge a text. @default not flagged */
  readonly moderate?: (text: string) => ModerationResult
}

const unflagged: ModerationResult = { flagged: false, categories: {}, scores: {} }

/** Registers vitest cases for a `Guardrail`. */
export function guardrailConformance(open: () => Promisable<GuardrailExample>): void {
  const contextOf = ({ moderate = () => unflagged }: GuardrailExample): GuardrailContext => ({
    requestId: 'request',
    caller: { type: 'admin' },
    side: 'output',
    model: 'up/big',
    signal: new AbortController().signal,
    preceding: '',
    moderate: async (_, texts) => texts.map(moderate),
  })
  const judge = async (example: GuardrailExample, texts: readonly string[]): Promise<GuardrailVerdict> =>
    example.guardrail.check(texts, contextOf(example))

  describe('guardrail', () => {
    it('has an id and a side', async () => {
      const { guardrail } = await open()
      expect(guardrail.id).toMatch(/^[a-z0-9_-]{1,64}$/)
      expect(guardrail.on.length).toBeGreaterThan(0)
    })

    it('passes a harmless text, an empty one, and none', async () => {
      const example = await open()
      for (const texts of [[example.harmless], [''], []]) {
        expect(await judge(example, texts)).toEqual({ type: 'pass' })
      }
    })

    it('finds a harmful text among others, and returns a text for each', async () => {
      const example = await open()
      const { harmless, harmful } = example
      const verdict = await judge(example, [harmless, harmful, '', harmless])
      expect(verdict.type).not.toBe('pass')
      if (verdict.type !== 'mask') return
      const [first, masked, empty, last] = verdict.texts
      expect(verdict.texts).toHaveLength(4)
      expect([first, empty, last]).toEqual([harmless, '', harmless])
      expect(masked).not.toBe(harmful)
    })

    it('names what it has found without the text', async () => {
      const example = await open()
      const verdict = await judge(example, [example.harmful])
      const categories =
        verdict.type === 'block' ? [verdict.category] : verdict.type === 'pass' ? [] : verdict.categories
      expect(categories.length).toBeGreaterThan(0)
      for (const category of categories) {
        expect(category).not.toBe('')
        expect(category).not.toContain(example.harmful)
      }
    })

    it('judges texts of concurrent requests apart', async () => {
      const example = await open()
      const texts = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? example.harmless : example.harmful))
      const verdicts = await Promise.all(texts.map((text) => judge(example, [text])))
      expect(verdicts.map(({ type }) => type === 'pass')).toEqual(texts.map((text) => text === example.harmless))
    })

    it('judges a stream as it judges the whole text, in pieces of any size', async () => {
      const example = await open()
      const { guardrail, harmless, harmful } = example
      if (!guardrail.open) return
      const text = `${harmless} ${harmful} ${harmless}`
      const verdict = await judge(example, [text])
      const expected = verdict.type === 'mask' ? verdict.texts[0] : text
      for (const size of [1, 2, 3, 5, 8, 13, 100, text.length]) {
        const found: GuardrailFinding[] = []
        const stream = guardrail.open(contextOf(example), (finding) => found.push(finding))
        let passed = ''
        for (let at = 0; at < text.length && !isBlocked(found); at += size) {
          const piece = stream.push(text.slice(at, at + size))
          if (!isBlocked(found)) passed += piece
        }
        const rest = isBlocked(found) ? '' : stream.end()
        expect(found.map(({ type }) => type)).toContain(verdict.type)
        if (isBlocked(found)) expect(passed).not.toContain(harmful)
        else expect(passed + rest).toBe(expected)
      }
    })
  })
}

const isBlocked = (found: readonly GuardrailFinding[]): boolean => found.some(({ type }) => type === 'block')
