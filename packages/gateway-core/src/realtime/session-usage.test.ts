import { describe, expect, it } from 'vitest'
import { turnUsageOf } from './session-usage.ts'

const usage = { input_tokens: 5, output_tokens: 7 }
const tokens = { inputTokens: 5, outputTokens: 7 }

describe('turnUsageOf', () => {
  it('reads the usage where the type follows the answer', () => {
    const response = { output: [{ text: 'long '.repeat(1_000) }], usage }
    expect(turnUsageOf(JSON.stringify({ event_id: 'e', response, type: 'response.done' }))).toEqual({
      ...tokens,
      answer: '',
    })
  })

  it('reads the id of an answer, also of one without usage', () => {
    const done = (response: object) => turnUsageOf(JSON.stringify({ type: 'response.done', response }))
    expect(done({ id: 'resp_1', usage })).toEqual({ ...tokens, answer: 'resp_1' })
    expect(done({ id: 'resp_1', usage: null })).toEqual({ inputTokens: 0, outputTokens: 0, answer: 'resp_1' })
  })

  it('reads that of a transcription of what the user says, where it is in tokens', () => {
    const type = 'conversation.item.input_audio_transcription.completed'
    const event = { type, transcript: 'Hello', usage: { type: 'tokens', ...usage } }
    expect(turnUsageOf(JSON.stringify(event))).toEqual(tokens)
    expect(turnUsageOf(JSON.stringify({ type, transcript: 'Hello' }))).toBeUndefined()
    const inTime = { type, usage: { type: 'duration', seconds: 3 } }
    expect(turnUsageOf(JSON.stringify(inTime))).toEqual({ inputTokens: 0, outputTokens: 0 })
  })

  it('reads none from a text that names the event', () => {
    const event = { type: 'response.output_text.done', text: '"response.done"', response: { usage } }
    expect(turnUsageOf(JSON.stringify(event))).toBeUndefined()
    expect(turnUsageOf(JSON.stringify({ type: 'other', of: 'response.done', response: { usage } }))).toBeUndefined()
  })
})
