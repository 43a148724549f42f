import { describe, expect, it } from 'vitest'
import { expectMessageFailure, openGateway } from '../open-gateway.ts'
import { scripts } from './dialect-scripts.ts'
import { dialectUpstream } from './dialect-upstream.ts'

async function start(...parameters: Parameters<typeof dialectUpstream>) {
  const upstream = await dialectUpstream(...parameters)
  const open = openGateway({ providers: [upstream.provider] })
  const { secret } = await open.key()
  const send = (path: string, body: object) => open.send(path, { as: secret, body: { model: 'up/big', ...body } })
  return { upstream, send }
}

const cited = {
  ...{ type: 'char_location', cited_text: 'Frames', document_index: 0, document_title: 'T' },
  ...{ start_char_index: 0, end_char_index: 6 },
}
const fileCitation = { type: 'file_citation', file_id: 'file_1', filename: 'a.txt', index: 3 }

describe('citations of documents', () => {
  it.each([
    ['document', 'chat', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Frames.' } }],
    [
      'document',
      'responses',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Frames.' } },
    ],
    [
      'search result',
      'chat',
      { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'F' }] },
    ],
    [
      'search result',
      'responses',
      { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'F' }] },
    ],
  ] as const)('refuses a request for those of a %s over %s', async (_, dialect, block) => {
    const { send, upstream } = await start(dialect)
    const ask = (enabled: boolean) =>
      send('/v1/messages', {
        max_tokens: 100,
        messages: [{ role: 'user', content: [{ ...block, citations: { enabled } }] }],
      })
    const words = expect.stringMatching(/^messages\[0\]\.content\[0\]\.citations: /)
    await expectMessageFailure(await ask(true), 400, 'invalid_request_error', words)
    expect(upstream.seen).toEqual([])
    expect((await ask(false)).status).toBe(200)
  })

  it('reaches a client of messages whose stream the upstream answers as a whole', async () => {
    const answer = { ...scripts.messages.answer, content: [{ type: 'text', text: 'Frames.', citations: [cited] }] }
    const { send } = await start('messages', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
    const body = { max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const text = await (await send('/v1/messages', body)).text()
    expect(text).toContain(JSON.stringify({ type: 'citations_delta', citation: cited }))
  })

  it('reaches a client of responses whose stream the upstream answers as a whole', async () => {
    const content = [{ type: 'output_text', text: 'Frames.', annotations: [fileCitation], logprobs: [] }]
    const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
    const { send } = await start('responses', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...scripts.responses.answer, output }))
    })
    const text = await (await send('/v1/responses', { input: 'Hi', stream: true })).text()
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'response.output_text.annotation.added',
        annotation_index: 0,
        annotation: fileCitation,
      }),
    )
    expect(events.at(-1).response.output[0].content[0].annotations).toEqual([fileCitation])
  })

  it.each(['chat', 'messages'] as const)('names those of earlier answers that %s does not have', async (dialect) => {
    const { send } = await start(dialect)
    const content = [{ type: 'output_text', text: 'Frames.', annotations: [fileCitation] }]
    const answered = { type: 'message', role: 'assistant', content }
    const input = [{ role: 'user', content: 'Hi' }, answered, { role: 'user', content: 'More' }]
    const response = await send('/v1/responses', { input })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-omitted')).toBe('input.content.annotations')
  })
})
