import { expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const pairs = dialects.flatMap((front) => dialects.filter((one) => one !== front).map((one) => [front, one] as const))

it.each(
  pairs,
)('a client of %s gets a 502 for a whole answer of %s that is too large to translate', async (front, up) => {
  const { provider, seen } = await dialectUpstream(up)
  const open = openGateway({ providers: [provider], chat: { maxEventBytes: 100 } })
  const { secret } = await open.key()
  const body = { model: 'up/big', ...scripts[front].request }
  const response = await open.send(scripts[front].path, { as: secret, body })
  expect([response.status, seen.length]).toEqual([502, 1])
  expect(await response.text()).toContain('has more than 100 characters')
})
