import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { createClient, expectOk } from '../src/index.ts'

const size = v.union([v.number(), v.bigint()])

const contract = defineContract({
  measure: {
    method: 'POST',
    path: '/size',
    body: v.object({ size }),
    responses: { 200: v.object({ sizes: v.array(size) }) },
  },
})

it('sends bigints as numbers, and reads integers beyond 2^53 - 1 as bigints', async () => {
  const sent: unknown[] = []
  const client = createClient(contract, {
    fetch: async (_url, { body }) => {
      sent.push(body)
      return new Response('{"sizes": [9007199254740991, 9007199254740992, 9223372036854775807]}')
    },
  })
  const { sizes } = await expectOk(client.measure({ body: { size: 9223372036854775807n } }))
  expect(sizes).toStrictEqual([9007199254740991, 9007199254740992n, 9223372036854775807n])
  await client.measure({ body: { size: 5 } })
  expect(sent).toEqual(['{"size":9223372036854775807}', '{"size":5}'])
})
