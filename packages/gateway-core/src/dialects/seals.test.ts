import { describe, expect, it } from 'vitest'
import { ProviderFailure } from '../providers/provider-error.ts'
import { MOST_CHARACTERS, MOST_VALUES } from './json-allowance.ts'
import { messagesTranslation } from './messages/messages-translation.ts'
import { responsesTranslation } from './responses/responses-translation.ts'
import { Seals, seal } from './seals.ts'

const values = (count: number) => seal({ s: Array.from({ length: count }, () => 0) })
const characters = (count: number) => seal({ e: 'x'.repeat(count) })

describe('sealed reasoning', () => {
  it('opens reasoning as it was sealed, and none that is malformed', () => {
    const kept = { e: 'é🔑', s: [1] }
    expect(new Seals().open(seal(kept))).toEqual(kept)
    expect(['trivium.', 'trivium.%', `trivium.${btoa('[')}`].map((text) => new Seals().open(text))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each([
    [values(MOST_VALUES), values(9)],
    [values(MOST_VALUES / 2), values(MOST_VALUES / 2)],
    [characters(MOST_CHARACTERS / 2), characters(MOST_CHARACTERS / 2)],
  ])('refuses sealed reasoning by its place beyond what one request may have', (first, second) => {
    const thinking = (signature: string) => ({ type: 'thinking', thinking: 'x', signature })
    const item = (encrypted_content: string) => ({ type: 'reasoning', summary: [], encrypted_content })
    const messages = [{ role: 'assistant', content: [thinking(first), thinking(second)] }]
    const excess = expect.stringContaining(`${MOST_CHARACTERS} characters and ${MOST_VALUES} values`)
    const place = (text: string) => expect.stringMatching(text)
    expect(failureOf(() => messagesTranslation.readRequest({ messages }))).toMatchObject({
      status: 400,
      param: place(String.raw`messages\[0\]\.content\[[01]\]\.signature`),
      message: excess,
    })
    expect(failureOf(() => responsesTranslation.readRequest({ input: [item(first), item(second)] }))).toMatchObject({
      status: 400,
      param: place(String.raw`input\[[01]\]\.encrypted_content`),
      message: excess,
    })
  })
})

function failureOf(run: () => unknown) {
  try {
    run()
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It did not fail')
}
