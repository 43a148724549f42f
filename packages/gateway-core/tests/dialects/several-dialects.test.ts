import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { upstreamServer } from '../upstream-server.ts'
import { scripts } from './dialect-scripts.ts'
import { answering } from './dialect-upstream.ts'

const body = { model: 'up/big', ...scripts.messages.request }

/** An upstream that speaks chat completions and responses, and a client of messages. */
async function bothDialects() {
  const upstream = await upstreamServer((request, response) =>
    answering(request.path === '/v1/responses' ? 'responses' : 'chat')(request, response),
  )
  const provider = openAiProvider({
    ...{ id: 'up', baseUrl: `${upstream.origin}/v1`, models: ['big'], dialects: ['chat', 'responses'] },
  })
  const open = openGateway({ providers: [provider] })
  const { secret } = await open.key()
  const send = (differences: object) => open.send('/v1/messages', { as: secret, body: { ...body, ...differences } })
  return { send, paths: () => upstream.seen.map(({ path }) => path), open }
}

describe('a client of messages over an upstream of chat completions and responses', () => {
  it.each([
    false,
    true,
  ])('gets responses of the upstream, and chat completions where only these carry its request: stream %j', async (stream) => {
    const { send, paths } = await bothDialects()
    for (const differences of [{}, { stop_sequences: ['END'] }]) {
      const response = await send({ ...differences, stream })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('"type":"message"')
    }
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions'])
  })

  it('gets the refusal of responses where neither carries the request, and no upstream is called', async () => {
    const { send, paths, open } = await bothDialects()
    const refused = await send({ stop_sequences: ['END'], mcp_servers: [{ name: 'x' }] })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('stop_sequences') } })
    expect(paths()).toEqual([])
    expect(open.records).toMatchObject([{ status: 400 }])
  })
})
