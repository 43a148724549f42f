import {
  bytes,
  defineContract,
  defineSockets,
  eventStream,
  type Failures,
  type InputIssue,
  implement,
  implementSockets,
  jsonLines,
  jsonOr,
  noBody,
  type Reply,
  type SocketFailures,
} from '@trivium/http-contract'
import * as v from 'valibot'

const failure = v.object({ message: v.string() })

export const workshopContract = defineContract({
  describeTool: {
    method: 'PUT',
    path: '/shelves/{shelf}/tools/{tool+}',
    params: v.object({ shelf: v.string(), tool: v.string() }),
    query: v.object({ limit: v.optional(v.string()), tag: v.optional(v.array(v.string())) }),
    headers: v.object({ authorization: v.optional(v.string()) }),
    body: v.object({ weight: v.number() }),
    responses: { 200: v.unknown(), 400: failure },
  },
  breakTool: { method: 'POST', path: '/break', responses: { 204: noBody, 409: failure } },
  draw: { method: 'GET', path: '/drawing', responses: { 200: bytes('image/png') } },
  log: { method: 'GET', path: '/log', responses: { 200: jsonLines(v.object({ n: v.number() })) } },
  work: {
    method: 'POST',
    path: '/work',
    body: v.object({ stream: v.boolean(), cut: v.optional(v.boolean()) }),
    responses: { 200: jsonOr(v.object({ text: v.string() }), eventStream(v.string(), { sentinel: '[DONE]' })) },
  },
  watch: { method: 'GET', path: '/watch', responses: { 200: eventStream(v.number(), { commit: 'at-once' }) } },
  fail: { method: 'GET', path: '/fail', responses: { 200: v.unknown() } },
})

export const workshopSockets = defineSockets({
  talk: {
    path: '/talk/{name}',
    params: v.object({ name: v.string() }),
    query: v.object({ mode: v.optional(v.string()) }),
  },
  refuse: { path: '/refuse' },
})

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

const failures = {
  malformed: (message: string) => json(400, { message }),
  invalid: ({ path, issue }: InputIssue) => json(400, { message: `${path}: ${issue.message}` }),
  tooLarge: () => json(413, { message: 'too large' }),
  methodNotAllowed: () => json(405, { message: 'no such method' }),
  unexpected: () => json(500, { error: { message: 'the workshop burns' } }),
  interrupted: () => 'interrupted',
} satisfies Failures & SocketFailures

/** Creates routes with an operation for each kind of reply. `left` settles when a watcher disconnects. */
export function openWorkshop() {
  const left = Promise.withResolvers<void>()
  const routes = implement(
    workshopContract,
    {
      describeTool: ({ params, query, headers, body }) => ({ status: 200, body: { params, query, headers, body } }),
      breakTool: () => ({ status: 409, headers: { 'x-again': '1' }, body: { message: 'It is broken already' } }),
      draw: () => ({ status: 200, body: new Uint8Array([1, 2, 255]) }),
      log: () => ({
        status: 200,
        body: (async function* () {
          yield { n: 1 }
          yield { n: 2 }
        })(),
      }),
      work: ({ body }) =>
        body.stream
          ? {
              status: 200,
              body: (async function* () {
                yield 'grüß'
                if (body.cut) throw new Error('cut')
                yield 'dich'
              })(),
            }
          : { status: 200, body: { text: 'grüß dich' } },
      watch: ({ signal }) => ({
        status: 200,
        body: (async function* () {
          yield 1
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
          left.resolve()
        })(),
      }),
      fail: () => {
        throw new Error('fault')
      },
    },
    { failures },
  )
  const sockets = implementSockets(
    workshopSockets,
    {
      talk: ({ params, query }) => ({
        open: (socket) => {
          socket.send(`${params.name} ${query.mode}`)
          socket.onMessage((message) => (message === 'bye' ? socket.close(4001, 'enough') : socket.send(message)))
          socket.onClose(() => left.resolve())
        },
      }),
      refuse: () => ({ reply: json(403, {}) }),
    },
    { failures },
  )
  return { routes, sockets, left: left.promise }
}
