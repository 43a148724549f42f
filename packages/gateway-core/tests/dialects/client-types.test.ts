import { fileURLToPath } from 'node:url'
import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import ts from 'typescript'
import { expect, it } from 'vitest'
import type { ConversationEvent } from '../../src/dialects/conversation/conversation-answer.ts'
import { messagesTranslation } from '../../src/dialects/messages/messages-translation.ts'
import { answerContext } from '../messages/message-context.ts'
import { openGateway } from '../open-gateway.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialect-upstream.ts'

/** What the SDKs name the answers and events of each dialect. */
const types = {
  chat: ['OpenAI.ChatCompletion', 'OpenAI.ChatCompletionChunk'],
  responses: ['OpenAI.Responses.Response', 'OpenAI.Responses.ResponseStreamEvent'],
  messages: ['Anthropic.Message', 'Anthropic.RawMessageStreamEvent'],
} as const satisfies Record<Dialect, readonly [string, string]>

type Typed = readonly [type: string, value: unknown]

const heading = ["import type OpenAI from 'openai'", "import type Anthropic from '@anthropic-ai/sdk'"]
const path = fileURLToPath(new URL('./client-types.generated.ts', import.meta.url))

/** Returns what TypeScript finds wrong with values. Members beyond those of the types are allowed. */
function faultsOf(values: readonly Typed[]): readonly string[] {
  // JSON is also the type of its value. An object literal could not have further members.
  const lines = values.map(
    ([type, value], index) =>
      `declare const value${index}: ${JSON.stringify(value)}; export const checked${index}: ${type} = value${index}`,
  )
  const text = [...heading, ...lines].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === path || fileExists(name)
  host.getSourceFile = (name, language, ...rest) =>
    name === path ? ts.createSourceFile(name, text, language) : getSourceFile(name, language, ...rest)
  const program = ts.createProgram([path], options, host)
  const source = program.getSourceFile(path)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText, start = 0 }) => {
      const line = source?.getLineAndCharacterOfPosition(start).line ?? 0
      return `${ts.flattenDiagnosticMessageText(messageText, '\n')} ${JSON.stringify(values[line - heading.length])}`
    },
  )
}

/** OpenAI sends `null` for these, too, where its SDK has them as optional only. */
const nullable: ReadonlySet<string> = new Set(['usage', 'user'])

/** Replaces what the upstreams themselves send otherwise than their SDKs promise. */
const asPromised = (front: Dialect, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one) => {
    if (front === 'responses') {
      // The SDK adds the text of an answer itself.
      if (one?.object === 'response') return { output_text: '', ...one }
      return one === null && nullable.has(name) ? undefined : one
    }
    return front === 'messages' && one?.type === 'text' ? { citations: null, ...one } : one
  })

const eventsIn = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && !line.endsWith('[DONE]'))
    .map((line) => JSON.parse(line.slice(6)))

/** The answers of an upstream of another dialect, whole and streamed, and the events of a stream that was cut. */
async function answersOf(front: Dialect, upstream: Dialect): Promise<readonly Typed[]> {
  const [whole, event] = types[front]
  const ask = async (stream: boolean, answer?: Parameters<typeof dialectUpstream>[1]) => {
    const { provider } = await dialectUpstream(upstream, answer)
    const open = openGateway({ providers: [provider], retries: { retries: 0 } })
    const { secret } = await open.key()
    const body = { model: 'up/big', ...scripts[front].request, stream }
    return (await open.send(scripts[front].path, { as: secret, body })).text()
  }
  const { events } = scripts[upstream]
  const streams = [await ask(true), await ask(true, streaming(events.slice(0, 7), 'cut'))]
  const sent = streams.flatMap(eventsIn).filter((value) => !('error' in value) && value.type !== 'ping')
  const values: readonly Typed[] = [[whole, JSON.parse(await ask(false))], ...sent.map((one) => [event, one] as const)]
  return values.map(([type, value]) => [type, asPromised(front, value)])
}

const search = { type: 'search-call', id: 'ws_1', query: 'q' } as const
const results = [{ url: 'https://example.com', title: 'T' }]
const searched: readonly ConversationEvent[] = [
  { type: 'start', id: '1', model: 'm', created: 1 },
  { type: 'part', index: 0, part: search },
  { type: 'part-end', index: 0, part: { ...search, results } },
  { type: 'part', index: 1, part: { type: 'refusal', text: '' } },
  { type: 'text', index: 1, text: 'No.' },
  { type: 'part-end', index: 1, part: { type: 'refusal', text: 'No.' } },
  { type: 'finish', ending: { reason: 'refusal' } },
]

it('translated answers and events have what the SDKs of OpenAI and Anthropic promise their users', {
  timeout: 60_000,
}, async () => {
  const pairs = dialects.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))
  const answers = await Promise.all(
    pairs.filter(([front, upstream]) => front !== upstream).map((pair) => answersOf(...pair)),
  )
  const { write } = messagesTranslation.writeEvents(answerContext())
  const searches = searched.flatMap((step) => eventsIn(write(step)))
  const events = searches.map((one) => [types.messages[1], asPromised('messages', one)] as const)
  const failed = messagesTranslation.writeAnswer(
    {
      id: '1',
      model: 'm',
      created: 1,
      content: [
        { ...search, failed: true },
        { type: 'text', text: 'Hi', annotations: results },
      ],
      ending: { reason: 'stop' },
    },
    answerContext(),
  )
  expect(faultsOf([...answers.flat(), ...events, [types.messages[0], failed]])).toEqual([])
})

it('the check finds a member that is missing', { timeout: 60_000 }, () => {
  expect(faultsOf([['Anthropic.DirectCaller', {}]])).toEqual([expect.stringContaining("'type' is missing")])
})
