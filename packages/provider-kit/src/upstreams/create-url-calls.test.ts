import { expect, it, onTestFinished } from 'vitest'
import { context, failureOf } from '../../../gateway-core/tests/provider-calls.ts'
import { upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { readAnswer } from '../reading/read-answer.ts'
import { createUrlCalls } from './create-url-calls.ts'

function urlCalls() {
  const calls = createUrlCalls({ maxAnswerBytes: 10 })
  onTestFinished(() => calls.close())
  return calls
}

it('createUrlCalls calls any URL, without a user agent', async () => {
  const servers = [
    await upstreamServer((_, response) => response.end('one')),
    await upstreamServer((_, response) => response.end('two')),
  ]
  const calls = urlCalls()
  const answers = servers.map(async ({ origin }) =>
    Buffer.from(await readAnswer(await calls.call({ url: new URL('/a?b=c#d', origin) }, context()))).toString(),
  )
  expect(await Promise.all(answers)).toEqual(['one', 'two'])
  const [seen] = servers.flatMap(({ seen }) => seen)
  expect([seen?.method, seen?.path]).toEqual(['GET', '/a?b=c'])
  expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(['accept-encoding', 'connection', 'host'])
})

it('createUrlCalls posts a body', async () => {
  const { origin, seen } = await upstreamServer((_, response) => response.end())
  const headers = { 'content-type': 'text/plain' }
  await readAnswer(await urlCalls().call({ url: new URL(origin), body: 'x', headers }, context()))
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/', body: 'x', headers })
})

it('createUrlCalls cuts off an answer that is larger than allowed', async () => {
  const { origin } = await upstreamServer((_, response) => response.end('x'.repeat(11)))
  const answer = await urlCalls().call({ url: new URL(origin) }, context())
  expect(await failureOf(readAnswer(answer))).toMatchObject({ type: 'malformed' })
})
