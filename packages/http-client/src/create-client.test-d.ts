import { bytes, defineContract, defineSockets, eventStream, jsonOr, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { createClient, createSocketClient, expectOk } from './index.ts'

const failure = v.object({ message: v.string() })

const client = createClient(
  defineContract({
    read: {
      method: 'GET',
      path: '/things/{id}/parts/{rest+}',
      query: v.object({ limit: v.optional(v.string()), order: v.optional(v.picklist(['up', 'down'])) }),
      responses: { 200: v.object({ size: v.number() }), 404: failure },
    },
    list: {
      method: 'GET',
      path: '/things',
      query: v.object({ kind: v.string() }),
      responses: { 200: v.array(failure) },
    },
    make: { method: 'POST', path: '/things', body: v.object({ name: v.string() }), responses: { 201: failure } },
    drop: { method: 'DELETE', path: '/things', responses: { 204: noBody } },
    ask: { method: 'POST', path: '/ask', responses: { 200: jsonOr(failure, eventStream(v.number())) } },
    picture: { method: 'GET', path: '/picture', responses: { 200: bytes('image/png') } },
  }),
)

const reply = await client.read({ params: { id: 1, rest: 'a/b' }, query: { limit: 5, order: 'up' } })
reply.status satisfies 200 | 404
if (reply.ok) reply.body.size satisfies number
else reply.body.message satisfies string
// @ts-expect-error: the status of the reply has not been checked
reply.body.size

const made = await expectOk(client.make({ body: { name: 'a' } }))
made.message satisfies string

const asked = await client.ask()
if (asked.kind === 'events') for await (const event of asked.body) event satisfies number
else asked.body.message satisfies string

const picture = await client.picture()
picture.body satisfies Response

// @ts-expect-error: a parameter is missing
void client.read({ params: { id: 'a' } })
// @ts-expect-error: the order does not exist
void client.read({ params: { id: 'a', rest: 'b' }, query: { order: 'sideways' } })
// @ts-expect-error: the query is missing
void client.list()
// @ts-expect-error: the body is missing
void client.make()
// @ts-expect-error: the body has no name
void client.make({ body: {} })
void client.drop()

const sockets = createSocketClient(defineSockets({ watch: { path: '/watch/{id}' } }))
void sockets.watch({ params: { id: 'a' } })
// @ts-expect-error: the parameter is missing
void sockets.watch()
