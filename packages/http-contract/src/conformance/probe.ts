import type { Exchange, Reply } from '../exchange.ts'
import type { Failures, InputIssue } from '../failures.ts'
import { implement, type ParsedBody } from '../implement.ts'
import { implementSockets } from '../implement-sockets.ts'
import { parseBody, type RequestBody } from '../request-body.ts'
import type { Route } from '../route.ts'
import type { SocketRoute } from '../socket.ts'
import { createJournal, type Journal } from './journal.ts'
import { lenientContract, ownContract, probeContract, probeSockets } from './probe-contract.ts'
import type { ProbeControl } from './probe-control.ts'
import { aborted, createSources, type ProbeSources } from './probe-sources.ts'
import { createStreams } from './probe-streams.ts'
import { createUploads } from './probe-uploads.ts'

/** Routes whose handlers report to a test what they receive, and do what its requests ask for. */
export interface Probe {
  readonly control: ProbeControl
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

const invalid = ({ part }: InputIssue) => json(422, { failure: 'invalid', parts: [part] })

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const failures: Failures = {
  malformed: () => json(400, { failure: 'malformed' }),
  invalid,
  tooLarge: (limit) => json(413, { failure: 'too-large', limit }),
  methodNotAllowed: (method) => json(405, { failure: 'method', method }),
  unexpected: () => json(500, { failure: 'unexpected' }),
  interrupted: () => ({ failure: 'interrupted' }),
}

export function createProbe(journal: Journal = createJournal()): Probe {
  const sources = createSources(journal)
  const onFault = (error: unknown) => journal.add(`fault: ${message(error)}`)
  return {
    control: {
      seen: journal.seen,
      entries: async () => journal.entries,
      produced: async () => sources.produced(),
      open: sources.open,
    },
    routes: [...mainRoutes(journal, sources, onFault), ...lenientRoutes(), ...ownRoutes()],
    sockets: socketRoutes(journal, onFault),
  }
}

function mainRoutes(journal: Journal, sources: ProbeSources, onFault: (error: unknown) => void): readonly Route[] {
  const streams = createStreams(journal, sources)
  const uploads = createUploads(journal, sources)
  return implement(
    probeContract,
    {
      echo: ({ params, query, headers, body, rawQuery, rawBody }) => ({
        status: 200,
        body: {
          params,
          query,
          rawQuery,
          probe: headers['x-probe'],
          authorization: headers.authorization,
          hasBody: body !== undefined,
          body,
          raw: rawBody && new TextDecoder().decode(rawBody),
        },
      }),
      bare: ({ params, query, headers, body, rawBody }) => ({
        status: 200,
        body: [params, query, headers, body, rawBody].map((part) => typeof part),
      }),
      mine: () => ({ status: 200, body: 'mine' }),
      read: ({ params }) => ({ status: 200, body: params }),
      drop: ({ params }) => {
        journal.add(`dropped ${params.thing_id}`)
        return { status: 204 }
      },
      bodiless: () => ({ status: 200, body: 'done' }),
      dropWith: ({ body }) => ({ status: 200, body: { body } }),
      file: ({ params }) => ({ status: 200, body: params }),
      limited: ({ rawBody }) => ({ status: 200, body: { length: rawBody?.byteLength } }),
      large: ({ rawBody }) => ({ status: 200, body: { length: rawBody?.byteLength } }),
      strict: ({ body }) => ({ status: 201, body, headers: { location: '/elsewhere' } }),
      answer: ({ params }) => answer(params.id),
      picture: ({ params }) => ({ status: 200, body: streams.picture(params.id) }),
      hang: async ({ signal }) => {
        journal.add('hanging')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        journal.add('hang aborted')
        throw signal.reason
      },
      gated: async ({ params, signal }) => {
        signal.addEventListener('abort', () => journal.add(`${params.id} aborted`))
        journal.add(`${params.id} waiting`)
        await sources.opened(params.id)
        return { status: 200, body: params }
      },
      events: ({ params, signal }) => {
        signal.addEventListener('abort', () => journal.add('signal aborted'))
        return { status: 200, body: streams.events(params.id) }
      },
      compressible: ({ params }) => ({
        status: 200,
        body: streams.events(params.id),
        headers: compressible,
      }),
      unsendable: ({ params }) => ({ status: 200, body: streams.events(params.id), headers: { 'x-a': 'b\r\nc: d' } }),
      watch: ({ params, ending }) => ({
        status: 200,
        body: sources.untilAborted(ending),
        headers: params.id === 'compressible' ? compressible : {},
      }),
      poll: async ({ ending }) => {
        journal.add('polling')
        await aborted(ending)
        return { status: 200, body: 'polled' }
      },
      announced: () => ({ status: 200, body: streams.events('gated') }),
      commented: () => ({ status: 200, body: streams.events('commented') }),
      upload: async ({ params, upload, signal }) => {
        signal.addEventListener('abort', () => journal.add('signal aborted'))
        return { status: 200, body: await uploads.read(params.id, upload) }
      },
      limitedUpload: async ({ upload }) => ({ status: 200, body: await uploads.read('count', upload) }),
      lines: ({ params }) => ({ status: 200, body: streams.lines(params.id) }),
    },
    { failures, onFault, headers: (_, mountPath) => ({ 'x-served-by': 'probe', 'x-mount': mountPath }) },
  )
}

/** Replaces the headers that keep compression middlewares away from streams. */
const compressible = { 'cache-control': 'no-cache', 'content-type': 'text/event-stream; charset=utf-8' } as const

type AnswerOf = { status: 200 | 404; body: unknown; headers?: Record<string, string> } | { status: 202 }

function answer(id: string): AnswerOf {
  switch (id) {
    case 'accepted':
      return { status: 202 }
    case 'absent':
      return { status: 404, body: { absent: true } }
    case 'umlauts':
      return { status: 200, body: 'üöä €' }
    case 'nothing':
      return { status: 200, body: undefined }
    case 'big':
      return { status: 200, body: 'x'.repeat(5 * 2 ** 20) }
    case 'circular': {
      const circular: Record<string, unknown> = {}
      circular.itself = circular
      return { status: 200, body: circular }
    }
    case 'split-header':
      return {
        status: 200,
        body: 'x',
        headers: { 'x-b': 'c', 'x-a': 'b\r\nset-cookie: stolen=1\r\n\r\nHTTP/1.1 200 OK' },
      }
    case 'split-name':
      return { status: 200, body: 'x', headers: { 'x-a: b\r\nx-c': 'd' } }
    case 'wide-header':
      return { status: 200, body: 'x', headers: { 'x-a': '€' } }
    default:
      throw new Error(`a fault: ${id}`)
  }
}

function lenientRoutes(): readonly Route[] {
  return implement(
    lenientContract,
    {
      record: ({ params, rawQuery }) => ({ status: 200, body: { ...params, rawQuery } }),
      records: () => ({ status: 200, body: 'all' }),
    },
    { failures, slashes: 'lenient', options: () => json(200, {}) },
  )
}

/** Admits each request with its remote address as the caller. */
const admitByAddress = ({ remoteAddress = 'unknown' }: Pick<Exchange, 'remoteAddress'>) => ({ caller: remoteAddress })

function ownRoutes(): readonly Route[] {
  let made = 0
  return implement<typeof ownContract, string>(
    ownContract,
    {
      take: ({ requestId, body }) => ({ status: 200, body: { requestId, body } }),
      show: ({ params, requestId, rawHeaders }) => {
        if (params.id === 'fault') throw new Error('a fault')
        if (params.id === 'unsendable') return { status: 200, body: '', headers: { 'x-a': 'b\r\nc: d' } }
        if (params.id === 'own-id') return { status: 200, body: '', headers: { 'x-request-id': 'own' } }
        return { status: 200, body: { requestId, probe: rawHeaders['x-probe'] } }
      },
      peer: ({ caller }) => ({ status: 200, body: caller }),
      place: ({ mount: { origin, path } }) => ({ status: 200, body: { origin, path } }),
    },
    {
      failures,
      admit: admitByAddress,
      parseBody: parseOwn,
      newRequestId: () => {
        made += 1
        return `made-${made}`
      },
    },
  )
}

/** Parses `{"number": 1}` as `{"n": 1}`, and refuses `{"no": …}`. */
function parseOwn(body: RequestBody): ParsedBody {
  const value = parseBody(body)
  if (typeof value !== 'object' || value === null) return { value }
  if ('no' in value) return { reply: json(409, { refused: value.no }) }
  return { value: 'number' in value ? { n: value.number } : value }
}

function socketRoutes(journal: Journal, onFault: (error: unknown) => void): readonly SocketRoute[] {
  return implementSockets<typeof probeSockets, string>(
    probeSockets,
    {
      echo: ({ params, query }) => ({
        open: (socket) => {
          journal.add(`opened ${params.id}`)
          socket.send(JSON.stringify({ params, query }))
          socket.onClose(() => journal.add(`closed ${params.id}`))
          socket.onMessage((received) => {
            if (received === 'fail') throw new Error('a listener failed')
            if (received === 'bye') socket.close(4001, 'as asked')
            else socket.send(received)
          })
        },
      }),
      refused: () => ({ reply: { ...json(403, { refused: true }), headers: { 'x-why': 'no' } } }),
      peer: ({ caller }) => ({ open: (socket) => socket.send(caller) }),
      flood: () => ({
        open: (socket) => {
          let sent = 0
          const timer = setInterval(() => {
            socket.send(new Uint8Array(2 ** 20))
            sent += 1
            if (sent === 256) journal.add('ran away')
          })
          socket.onClose(() => {
            clearInterval(timer)
            journal.add('flood closed')
          })
        },
      }),
    },
    {
      failures: { invalid, unexpected: () => json(500, { failure: 'unexpected' }) },
      admit: admitByAddress,
      headers: (_, mountPath) => ({ 'x-mount': mountPath }),
      onFault,
    },
  )
}
