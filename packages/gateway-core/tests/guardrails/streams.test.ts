import { type GatewayOptions, patternsGuardrail } from '@trivium/gateway-core'
import type { Dialect, Guardrail } from '@trivium/gateway-core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialects, scripts } from '../dialects/dialect-scripts.ts'
import { dialectUpstream } from '../dialects/dialect-upstream.ts'
import { readAnswer, readStream } from '../dialects/read-client-answers.ts'
import { delta, fakeProvider, finish, LiveStream } from '../fake-provider.ts'
import { openGateway, settled } from '../open-gateway.ts'
import { eventsOf, piecesOf, type ScriptedAnswer, wholeOf } from './answer-scripts.ts'

const pairs = dialects.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))
const SECRET = 'sk-ant-api03-abcdefghijklmnop'
const CARD = '4111 1111 1111 1111'
const TEXT = `Pay with ${CARD}, or write to jane@example.com. The key is ${SECRET}. Done`
const INPUT = JSON.stringify({ note: `\njane@example.com "quoted" ${SECRET}`, card: 4_111_111_111_111_111, n: 1.5 })
const masked = {
  text: 'Pay with [CARD], or write to [EMAIL]. The key is [SECRET]. Done',
  calls: [{ id: 'call_1', name: 'save', input: { note: '\n[EMAIL] "quoted" [SECRET]', card: '[CARD]', n: 1.5 } }],
}
const scripted = (sizes: readonly number[]): ScriptedAnswer => ({
  text: piecesOf(TEXT, sizes),
  input: piecesOf(INPUT, sizes),
})

const names = ['email', 'card', 'secret'] as const

async function open(
  upstream: Dialect,
  next: () => ScriptedAnswer,
  guardrails: readonly Guardrail[] = [patternsGuardrail({ names, on: ['output'] })],
  more: Partial<GatewayOptions> = {},
) {
  const server = await dialectUpstream(upstream, ({ body }, response) => {
    const isStream = JSON.parse(body).stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? eventsOf(upstream, next()).join('') : JSON.stringify(wholeOf(upstream, next())))
  })
  const opened = openGateway({ providers: [server.provider], retries: { retries: 0 }, guardrails, ...more })
  const { secret } = await opened.key()
  const ask = (front: Dialect, fields: object = {}) =>
    opened.send(scripts[front].path, { as: secret, body: { model: 'up/big', ...scripts[front].request, ...fields } })
  return { opened, server, ask, secret }
}

/** Returns the values of all events. */
const valuesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.endsWith('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)))

describe.each(pairs)('a guarded client of %s over an upstream of %s', (front, upstream) => {
  it('gets a masked whole answer', async () => {
    const { ask } = await open(upstream, () => scripted([7]))
    const text = await (await ask(front)).text()
    expect(readAnswer(front, JSON.parse(text))).toEqual(masked)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('4111')
  })

  it('gets the same masked stream for pieces of any size', async () => {
    let sizes: readonly number[] = [1]
    const { ask } = await open(upstream, () => scripted(sizes))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }), async (given) => {
        sizes = given
        const text = await (await ask(front, { stream: true })).text()
        expect(readStream(front, text)).toEqual(masked)
        // No part of it, in any event.
        expect(text).not.toMatch(/sk-|api03|4111|jane/)
        if (front === 'responses') {
          const numbers = valuesOf(text).map(({ sequence_number: number }) => number)
          expect(numbers).toEqual(numbers.map((_, index) => index))
        }
      }),
      { numRuns: 8 },
    )
  })

  it('gets masked arguments that are cut, whole and streamed, where escapes hide a match', async () => {
    const input = `{"a":"${SECRET.replace('s', '\\u0073')}","b":"`
    const { ask } = await open(upstream, () => ({ text: [], input: piecesOf(input, [9]) }))
    // A whole answer of messages has values in place of JSON.
    for (const stream of upstream === 'messages' ? [true] : [true, false]) {
      const text = await (await ask(front, { stream })).text()
      expect(text).not.toMatch(/k-ant|api03/)
    }
  })

  it('gets a stream that ends where it is blocked, as a filter of the dialect ends it', async () => {
    const guardrails = [patternsGuardrail({ names: ['secret'], action: 'block', on: ['output'] })]
    const { ask, opened } = await open(upstream, () => scripted([5]), guardrails)
    const text = await (await ask(front, { stream: true })).text()
    expect(text).not.toMatch(/sk-|api03/)
    expect(text).toMatch(blocked[front])
    await settled()
    const whole = await (await ask(front)).text()
    expect(whole).not.toContain(SECRET)
    expect(whole).toMatch(blocked[front])
    expect(opened.records).toHaveLength(2)
  })
})

const blocked: Readonly<Record<Dialect, RegExp>> = {
  chat: /"finish_reason":"content_filter"/,
  messages: /"stop_reason":"refusal"/,
  responses:
    /"status":"incomplete","incomplete_details":\{"reason":"content_filter"\}|"incomplete_details":\{"reason":"content_filter"\}/,
}

describe('a guarded stream', () => {
  it('passes on text outside of matches as it arrives', async () => {
    const live = new LiveStream()
    const provider = fakeProvider({ stream: () => live.stream })
    const opened = openGateway({ providers: [provider], guardrails: [patternsGuardrail({ names })] })
    const { secret } = await opened.key()
    const answering = opened.chat(secret, { stream: true })
    await live.started
    live.send(delta('Good morning, all. '))
    const reader = (await answering).body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toContain('"content":"Good morning, all. "')
    live.send(delta('Write to jane'), delta('@example.com, '), delta('please'))
    expect(await next()).toContain('"content":"Write to "')
    expect(await next()).toContain('"content":"[EMAIL], "')
    live.send(finish, '[DONE]')
    live.end()
    expect(await next()).toContain('"content":"please"')
  })

  it('checks steps with a guardrail of the host, each after what it has let pass', async () => {
    const steps: string[] = []
    const guardrail: Guardrail = {
      id: 'own',
      on: ['output'],
      stepCharacters: 100,
      async check(texts, { preceding }) {
        steps.push(`${preceding.slice(-3)}|${texts[0]}`)
        return { type: 'mask', texts: texts.map((text) => text.toUpperCase()), categories: ['case'] }
      },
    }
    const long = 'abcdefghij '.repeat(30)
    const { ask } = await open('messages', () => ({ text: piecesOf(long, [7]), input: ['{"a":"b"}'] }), [guardrail])
    const text = await (await ask('messages', { stream: true })).text()
    expect(readStream('messages', text)).toEqual({
      text: long.toUpperCase(),
      calls: [{ id: 'call_1', name: 'save', input: { A: 'B' } }],
    })
    expect(steps[1]).toMatch(/^[A-J ]{3}\|/)
  })

  it('ends where a guardrail fails, and continues where it may', async () => {
    const broken = (onFailure: 'refuse' | 'admit'): Guardrail => ({
      id: 'broken',
      on: ['output'],
      onFailure,
      check: () => Promise.reject(new Error('unreachable')),
    })
    const refusing = await open('chat', () => scripted([9]), [broken('refuse')])
    expect(await (await refusing.ask('chat', { stream: true })).text()).toMatch(blocked.chat)
    expect(refusing.opened.faults).not.toEqual([])
    const admitting = await open('chat', () => scripted([9]), [broken('admit')])
    expect(readStream('chat', await (await admitting.ask('chat', { stream: true })).text()).text).toBe(TEXT)
  })

  it('reports without a change', async () => {
    const { ask, opened } = await open('chat', () => scripted([3]), [patternsGuardrail({ names, action: 'report' })])
    const findings: unknown[] = []
    opened.gateway.events.on('guardrail.reported', ({ category, side }) => findings.push([side, category]))
    expect(readStream('chat', await (await ask('chat', { stream: true })).text()).text).toBe(TEXT)
    expect(findings).toEqual([
      ['output', 'card'],
      ['output', 'email'],
      ['output', 'secret'],
    ])
  })

  it('drops what is not an event of the dialect, and parts of texts where it is cut', async () => {
    const [first = '', second = '', ...rest] = eventsOf('chat', { text: [`Hi ${SECRET.slice(0, 12)}`], input: ['{}'] })
    const server = await dialectUpstream('chat', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const hostile = [first, `: ${SECRET}\n\n`, `data: ${SECRET}\n\n`, `id: ${SECRET}\n${second}`]
      response.write([...hostile].join(''), () => response.destroy())
      expect(rest).not.toEqual([])
    })
    const opened = openGateway({
      providers: [server.provider],
      retries: { retries: 0 },
      guardrails: [patternsGuardrail({ names })],
    })
    const { secret } = await opened.key()
    const text = await (await opened.chat(secret, { stream: true })).text()
    expect(text).toContain('Hi ')
    expect(text).not.toContain('sk-ant')
    expect(text).toContain('"error"')
  })

  it('leaves the masked response in the store', async () => {
    const { ask, opened, secret } = await open('responses', () => scripted([4]))
    for (const stream of [true, false]) {
      const text = await (await ask('responses', { stream })).text()
      const id = /"id":"(resp_\w+)"/.exec(text)?.[1] ?? ''
      await settled()
      const stored = await (await opened.send(`/v1/responses/${id}`, { as: secret })).text()
      expect(readAnswer('responses', JSON.parse(stored))).toEqual(masked)
      expect(stored).not.toContain(SECRET)
    }
  })

  it('masks each answer of the cache', async () => {
    const { ask } = await open('chat', () => ({ text: [TEXT], input: ['{}'] }), undefined, { answerCache: {} })
    for (const status of ['miss', 'hit', 'hit']) {
      const response = await ask('chat', { stream: true })
      expect(response.headers.get('x-trivium-cache')).toBe(status)
      expect(readStream('chat', await response.text()).text).toBe(masked.text)
    }
  })
})
