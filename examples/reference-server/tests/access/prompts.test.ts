import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { chunk, startUpstream } from '../upstream.ts'

const ASKED = 'what-nobody-else-should-read'
const ANSWERED = 'what-was-answered'

it('stores and logs neither prompts nor answers', async () => {
  const upstream = await startUpstream(({ body, path }, response) => {
    if (body.includes('break off')) response.socket?.resetAndDestroy()
    else if (body.includes('refuse')) response.writeHead(500).end(`{"error":{"message":"no ${ASKED}"}}`)
    else if (path.startsWith('/v1')) {
      response.setHeader('content-type', 'text/event-stream')
      response.end(`${chunk(ANSWERED)}${chunk('', 'stop')}data: [DONE]\n\n`)
    } else response.setHeader('content-type', 'text/html').end('<p>No results</p>')
  })
  try {
    await using server = await startServer({
      environment: {
        OPENAI_BASE_URL: upstream.url,
        OPENAI_MODELS: 'm-1',
        DUCKDUCKGO_BASE_URL: upstream.url.replace('/v1', ''),
      },
    })
    const authorization = `Bearer ${await createKey(server, { rate_limit: 100 })}`
    const asked = async (fields: object) => {
      const body = { model: 'openai/m-1', stream: true, ...fields }
      const response = await server.ask('/v1/chat/completions', { method: 'POST', body, headers: { authorization } })
      return response.text()
    }
    const messages = (wish: string) => ({ messages: [{ role: 'user', content: `${wish}: ${ASKED}` }] })
    expect(await asked(messages('answer'))).toContain(ANSWERED)
    await asked(messages('refuse'))
    const refusal = await activitiesUntil(server, 'provider.failed')
    await asked(messages('break off'))
    await asked({ ...messages('answer'), temperature: ASKED })
    await server.ask(`/search?q=${ASKED}`, { headers: { authorization } })

    const shown = await Promise.all(
      ['/metrics', '/v1/usage', '/console/api/activities', '/health'].map(async (path) => {
        const until = AbortSignal.timeout(2000)
        const response = await server.ask(path, { signal: until })
        let text = ''
        // A stream of events has no end, so it is read for 2 seconds.
        try {
          for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
        } catch (error) {
          if (!until.aborted) throw error
        }
        return text
      }),
    )
    expect(await server.stop()).toBe(0)
    const files = globSync('**/*', { cwd: server.dataDirectory })
      .map((file) => join(server.dataDirectory, file))
      .filter((file) => statSync(file).isFile())
    const written = files.map((file) => readFileSync(file, 'latin1'))
    expect(written.join('')).toContain('openai/m-1')
    expect(shown.join('')).toContain('gen_ai')
    for (const text of [...written, ...shown, refusal, server.output()]) {
      expect(text).not.toContain(ASKED)
      expect(text).not.toContain(ANSWERED)
    }
  } finally {
    await upstream.close()
  }
})

/** Reads the activities of the console up to the first one of that type. */
async function activitiesUntil(server: ServerProcess, type: string): Promise<string> {
  const response = await server.ask('/console/api/activities')
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString()
    if (text.includes(`"${type}"`)) return text
  }
  throw new Error(`no ${type} in:\n${text}`)
}
