import { describe, expect, it } from 'vitest'
import { OpenAnswers } from './open-answers.ts'

const delta = (kind: string, text: string, more: object = {}) =>
  JSON.stringify({ type: `response.${kind}.delta`, event_id: 'e', ...more, item_id: 'i', delta: text })

const sound = (characters: number, more?: object) => delta('output_audio', 'A'.repeat(characters), more)

/** Text whose message counts as some tokens. */
const said = (tokens: number) => {
  const around = JSON.stringify({ type: 'conversation.item.create', text: '' }).length
  return JSON.stringify({ type: 'conversation.item.create', text: 'x'.repeat(100 + 4 * tokens - around) })
}

describe('OpenAnswers', () => {
  it('has no usage where no answer is open', () => {
    const answers = new OpenAnswers()
    answers.sent(said(10))
    answers.received('{"type":"session.created"}')
    expect(answers.usage).toBeUndefined()
    answers.received(sound(3200))
    answers.ended({ inputTokens: 100, outputTokens: 20, answer: '' })
    expect(answers.usage).toBeUndefined()
  })

  it('estimates sound by its time, and texts by the larger of their events and characters', () => {
    const answers = new OpenAnswers()
    answers.received('{"type":"response.created","response":{"object":"realtime.response","id":"r1"}}')
    expect(answers.usage).toEqual({ inputTokens: 0, outputTokens: 0 })
    for (let count = 0; count < 10; count += 1) answers.received(sound(6400, { response_id: 'r1' }))
    expect(answers.usage).toMatchObject({ outputTokens: 20 })
    for (let count = 0; count < 5; count += 1) answers.received(delta('output_audio_transcript', 'a'))
    expect(answers.usage).toMatchObject({ outputTokens: 25 })
    answers.received(delta('function_call_arguments', '"\\'.repeat(200), { response_id: 'r1' }))
    expect(answers.usage).toMatchObject({ outputTokens: 125 })
  })

  it('finds the type of a message that begins with a long delta', () => {
    const answers = new OpenAnswers()
    answers.received(JSON.stringify({ delta: 'x'.repeat(4000), type: 'response.output_text.delta' }))
    expect(answers.usage).toMatchObject({ outputTokens: 1000 })
  })

  it('takes the input from what was sent, and later from the last answer', () => {
    const answers = new OpenAnswers()
    answers.sent(said(500))
    answers.sent(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) }))
    answers.sent(`{"item":{"content":[{"type":"input_image","image_url":"${'A'.repeat(100_000)}"}]}}`)
    answers.sent('{"type":"response.create"}')
    expect(answers.usage).toEqual({ inputTokens: 500 + 11 + 800, outputTokens: 0 })
    answers.ended({ inputTokens: 2000, outputTokens: 300, answer: 'r1' })
    answers.sent(said(10))
    answers.received(sound(3200))
    expect(answers.usage).toEqual({ inputTokens: 2310, outputTokens: 1 })
    answers.sent(said(1_000_000))
    expect(answers.usage).toMatchObject({ inputTokens: 32_768 })
  })

  it('keeps an answer open while another one ends', () => {
    const answers = new OpenAnswers()
    answers.received(sound(32_000, { response_id: 'r1' }))
    answers.received(sound(3200, { response_id: 'r2' }))
    answers.ended({ inputTokens: 50, outputTokens: 1, answer: 'r2' })
    expect(answers.usage).toEqual({ inputTokens: 51, outputTokens: 10 })
    answers.ended({ inputTokens: 50, outputTokens: 10, answer: 'r1' })
    expect(answers.usage).toBeUndefined()
  })

  it('forgets a request that the upstream refuses', () => {
    const answers = new OpenAnswers()
    answers.sent('{"type":"response.create"}')
    answers.received('{"type":"error","error":{"type":"invalid_request_error"}}')
    expect(answers.usage).toBeUndefined()
  })
})
