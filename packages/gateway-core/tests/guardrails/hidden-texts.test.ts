import { type PatternsGuardrailOptions, patternsGuardrail } from '@trivium/gateway-core'
import type { Dialect } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { scripts } from '../dialects/dialect-scripts.ts'
import { dialectUpstream } from '../dialects/dialect-upstream.ts'
import { expectFailure, openGateway } from '../open-gateway.ts'

const SECRET = 'sk-ant-api03-abcdefghijklmnop'
const names = ['secret', 'email', 'card'] as const

/** A guarded gateway over an upstream of the same dialect. */
async function open(dialect: Dialect, action: PatternsGuardrailOptions['action'] = 'mask') {
  const server = await dialectUpstream(dialect)
  const opened = openGateway({
    providers: [server.provider],
    retries: { retries: 0 },
    guardrails: [patternsGuardrail({ names, action, on: ['input'] })],
  })
  const { secret } = await opened.key()
  const ask = (fields: object) =>
    opened.send(scripts[dialect].path, { as: secret, body: { model: 'up/big', ...fields } })
  return { ask, server, opened, secret }
}

const asUser = (...content: object[]) => ({ max_tokens: 9, messages: [{ role: 'user', content }] })

describe('a guarded request with what looks like media', () => {
  const plain = { type: 'text', media_type: 'text/plain', data: `all my text ${SECRET}` }
  const document = (source: object) => ({ type: 'document', source })

  it.each([
    ['a document with a format', document({ ...plain, format: 'x' })],
    ['a document with no format', document({ ...plain, format: null })],
    ['a document of text in Base64', document({ ...plain, type: 'base64' })],
    [
      'a document within the result of a tool',
      { type: 'tool_result', tool_use_id: 't', content: [document({ ...plain, format: 'x' })] },
    ],
  ])('reaches the upstream masked in %s', async (_, part) => {
    const { ask, server } = await open('messages')
    await ask(asUser(part))
    expect(server.seen[0]?.body ?? '').not.toContain(SECRET)
  })

  it('reaches the upstream masked in sound of no known format', async () => {
    const { ask, server } = await open('chat')
    await ask(asUser({ type: 'input_audio', input_audio: { data: SECRET, format: 'x' } }))
    expect(server.seen[0]?.body ?? '').not.toContain(SECRET)
  })
})

const escaped = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const HIDDEN = escaped(SECRET)
const numbers = JSON.stringify(Array.from({ length: 31_000 }, () => 1)).slice(0, -1)

/** Arguments in which escapes hide the secret, and whether they are JSON. */
const hiding: readonly (readonly [string, string, boolean])[] = [
  ['with duplicate members', `{"a":"${HIDDEN}","a":1}`, true],
  ['that are cut', `{"a":"${HIDDEN}`, false],
  ['that are nested deep', `${'['.repeat(300)}"${HIDDEN}"${']'.repeat(300)}`, true],
  ['with many values', `${numbers},"${HIDDEN}"]`, true],
  ['that are a text', `"${HIDDEN}"`, true],
  ['with JSON in a text', JSON.stringify({ a: `{"b":"${HIDDEN}"}` }), true],
  ['with JSON in a text of JSON in a text', JSON.stringify({ a: JSON.stringify({ b: `{"c":"${HIDDEN}"}` }) }), true],
  ['with JSON in a text, with duplicate members', `{"a":1,"a":${JSON.stringify(`{"b":"${HIDDEN}"}`)}}`, true],
  ['with a line end before it', `{"a":"\\n${SECRET}","a":1}`, true],
]

/** Decodes all escapes of letters. */
const readable = (text: string) =>
  text.replaceAll(/\\+u00([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const ofChat = (args: string) => ({
  messages: [
    { role: 'user', content: 'Save it' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'save', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  ],
})

describe('a guarded request with arguments of a call', () => {
  it.each(hiding)('reaches the upstream masked for ones %s', async (_, args, isJson) => {
    const { ask, server } = await open('chat')
    expect((await ask(ofChat(args))).status).toBe(200)
    const sent = JSON.parse(server.seen[0]?.body ?? '').messages[1].tool_calls[0].function.arguments
    expect(readable(sent)).not.toContain(SECRET)
    expect(sent).toContain('[SECRET]')
    if (isJson) expect(() => JSON.parse(sent)).not.toThrow()
  })

  it.each(hiding)('gets no answer for ones %s', async (_, args) => {
    const { ask, server } = await open('responses', 'block')
    const item = { type: 'function_call', call_id: 'call_1', name: 'save', arguments: args }
    await expectFailure(await ask({ input: [item] }), 400, { code: 'guardrail_blocked' })
    expect(server.seen).toEqual([])
  })

  it('keeps escapes that hide no match', async () => {
    const { ask, server } = await open('chat')
    const args = `{"a":"\\u00e9 \\"x\\" C:\\\\new","a":"${SECRET}"}`
    await ask(ofChat(args))
    const sent = JSON.parse(server.seen[0]?.body ?? '').messages[1].tool_calls[0].function.arguments
    expect(sent).toBe(args.replace(SECRET, '[SECRET]'))
  })
})

describe('a guarded request with numbers in arguments', () => {
  const argumentsOf = (body = '') => JSON.parse(body).messages[1].tool_calls[0].function.arguments

  it.each([
    ['6212345678901234569'],
    ['4111111111111111.0'],
    ['4.111111111111111e15'],
  ])('gets a match masked in a number as it is written, and in its value: %s', async (pan) => {
    const args = `{"pan":${pan}}`
    const masking = await open('chat')
    await masking.ask(ofChat(args))
    expect(argumentsOf(masking.server.seen[0]?.body)).toBe('{"pan":"[CARD]"}')
    const blocking = await open('chat', 'block')
    await expectFailure(await blocking.ask(ofChat(args)), 400, { code: 'guardrail_blocked' })
  })

  it('keeps the digits of numbers, and the form of other members, where a member is masked', async () => {
    const { ask, server } = await open('chat')
    const args = '{ "channel": 1234567890123456789, "big":1e400, "2":[-0.10], "1":"\\u00e9", "to":"bob@example.com"}'
    await ask(ofChat(args))
    expect(argumentsOf(server.seen[0]?.body)).toBe(args.replace('bob@example.com', '[EMAIL]'))
  })

  it('gets each mask in its place where members have names of numbers or one name', async () => {
    const { ask, server } = await open('chat')
    await ask(ofChat(`{"b":1,"1":"jane@example.com","0":"x","b":{"${SECRET}":"${SECRET}"}}`))
    expect(argumentsOf(server.seen[0]?.body)).toBe('{"b":1,"1":"[EMAIL]","0":"x","b":{"[SECRET]":"[SECRET]"}}')
  })
})

describe('a guarded text with escapes', () => {
  const sent = async (content: string) => {
    const { ask, server } = await open('chat')
    expect((await ask({ messages: [{ role: 'user', content }] })).status).toBe(200)
    return JSON.parse(server.seen[0]?.body ?? '').messages[0].content
  }

  it.each([
    ['JSON after other text', `See: {"a":"${HIDDEN}"}`, 'See: {"a":"[SECRET]"}'],
    ['JSON in a fence', `\`\`\`json\n{"a":\n"${HIDDEN}"}\n\`\`\``, '```json\n{"a":\n"[SECRET]"}\n```'],
    ['a line end as an escape before a match', `Log: "a\\n${SECRET}"`, 'Log: "a\\n[SECRET]"'],
    [
      'JSON in JSON',
      `It is {"a":"{\\"b\\":\\"${HIDDEN.replaceAll('\\', '\\\\')}\\"}"}`,
      /^It is \{"a":"\{\\"b\\":\\"\[SECRET\]\\"\}"\}$/,
    ],
    [
      'a path',
      `C:\\new\\table\n${HIDDEN}\tD:\\temp\\u.txt ${HIDDEN} \\\\host\\new`,
      'C:\\new\\table\n[SECRET]\tD:\\temp\\u.txt [SECRET] \\\\host\\new',
    ],
    ['a match without escapes', `C:\\new ${SECRET}`, 'C:\\new [SECRET]'],
    ['both sorts of matches', `${SECRET} C:\\new ${HIDDEN} jane@example.com`, '[SECRET] C:\\new [SECRET] [EMAIL]'],
    ['no match', 'C:\\new\\table \\u0041 "x\\"', 'C:\\new\\table \\u0041 "x\\"'],
  ])('reaches the upstream with only its matches replaced for %s', async (_, content, expected) => {
    expect(await sent(content)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  it('gets 400 where they hide a match', async () => {
    const { ask, server } = await open('chat', 'block')
    const content = `See: {"a":"${HIDDEN}"}`
    await expectFailure(await ask({ messages: [{ role: 'user', content }] }), 400, { code: 'guardrail_blocked' })
    expect(server.seen).toEqual([])
  })
})

describe('a guarded result of a tool', () => {
  it('reaches the upstream masked where escapes of its JSON hide a match', async () => {
    const { ask, server } = await open('chat')
    const content = `{"saved":"${HIDDEN}", "line": "\\n"}`
    await ask({ messages: [...ofChat('{}').messages.slice(0, 2), { role: 'tool', tool_call_id: 'call_1', content }] })
    const sent = JSON.parse(server.seen[0]?.body ?? '').messages[2].content
    expect(JSON.parse(sent)).toEqual({ saved: '[SECRET]', line: '\n' })
  })
})

const members = 'status id voice container detail object effort verbosity signature obfuscation encrypted_content name'
const schemas = {
  a_pattern: { type: 'string', pattern: SECRET },
  a_format: { type: 'string', format: SECRET },
  a_required_member: { type: 'object', required: [SECRET] },
  a_name: { type: 'object', properties: { [SECRET]: { type: 'string' } } },
  a_number: { enum: [4_111_111_111_111_111] },
}

describe('a guarded request of reranking', () => {
  it('gets 400 for a match in any member of its documents', async () => {
    const provider = openAiProvider({ id: 'up', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k', models: ['rerank-v3'] })
    const opened = openGateway({
      providers: [provider],
      guardrails: [patternsGuardrail({ names, action: 'block', on: ['input'] })],
    })
    const { secret } = await opened.key()
    const body = { model: 'up/rerank-v3', query: 'Hi', documents: [{ text: 'x', id: SECRET }] }
    await expectFailure(await opened.send('/v1/rerank', { as: secret, body }), 400, { code: 'guardrail_blocked' })
  })
})

describe('a guarded request with a match in its structure', () => {
  const user = { role: 'user', content: 'Hi' }

  it.each(members.split(' '))('keeps it from the upstream in %s', async (name) => {
    for (const action of ['mask', 'block'] as const) {
      const { ask, server } = await open('chat', action)
      await ask({ messages: [user], [name]: SECRET })
      await ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', [name]: SECRET }] }] })
      expect(server.seen.map(({ body }) => body).join()).not.toContain(SECRET)
    }
  })

  it('gets 400 where it cannot be masked', async () => {
    const { ask, server } = await open('chat')
    const message = "The guardrail 'patterns' has refused this request: secret."
    await expectFailure(await ask({ messages: [user], service_tier: SECRET }), 400, {
      code: 'guardrail_blocked',
      message,
    })
    expect(server.seen).toEqual([])
  })

  it.each([
    ['$id', `https://example.org/${SECRET}`],
    ['$ref', SECRET],
    ['$schema', SECRET],
    ['type', SECRET],
    ['type', ['null', SECRET]],
  ])('gets 400 for one in %s of a schema', async (name, value) => {
    for (const action of ['mask', 'block'] as const) {
      const { ask, server } = await open('chat', action)
      const parameters = { type: 'object', properties: { saved: { type: ['string', 'null'], [name]: value } } }
      const tools = [{ type: 'function', function: { name: 'save', parameters } }]
      await expectFailure(await ask({ messages: [user], tools }), 400, { code: 'guardrail_blocked' })
      expect(server.seen).toEqual([])
    }
  })

  it.each(Object.entries(schemas))('keeps it from the upstream in %s of a schema', async (_, parameters) => {
    const { ask, server } = await open('chat')
    const tool = {
      type: 'function',
      function: { name: 'save', parameters: { type: 'object', properties: { saved: parameters } } },
    }
    expect((await ask({ messages: [user], tools: [tool] })).status).toBe(200)
    expect(server.seen[0]?.body).not.toMatch(/sk-ant|4111/)
  })
})
