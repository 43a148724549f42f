import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from './answered-request.ts'
import type { Exchange, Reply } from './exchange.ts'
import { type Admission, type ImplementOptions, implement } from './implement.ts'
import { implementSockets } from './implement-sockets.ts'
import { defineContract } from './operation.ts'

const json = (status: number, value: unknown = null): Reply => ({ kind: 'json', status, headers: {}, value })

const failures = {
  malformed: () => json(400),
  invalid: () => json(400),
  tooLarge: () => json(413),
  methodNotAllowed: () => json(405),
  unexpected: () => json(500),
  interrupted: () => null,
}

const exchange: Exchange = {
  method: 'POST',
  params: { id: '7' },
  query: 'secret=1',
  headers: { authorization: 'secret' },
  remoteAddress: '192.0.2.1',
  host: undefined,
  mount: { origin: 'http://localhost', path: '' },
  body: () => ({ kind: 'bytes', bytes: new TextEncoder().encode('{"secret":1}') }),
  signal: new AbortController().signal,
  closing: new AbortController().signal,
}

const contract = defineContract({
  change: {
    method: 'POST',
    path: '/things/{id}',
    params: v.object({ id: v.string() }),
    body: v.unknown(),
    responses: { 201: v.unknown() },
  },
})

async function answeredBy(options: Partial<ImplementOptions<undefined>>): Promise<readonly AnsweredRequest[]> {
  const answered: AnsweredRequest[] = []
  const body = { project_id: 'p-1', uuid: 'u-1', secret: 'secret', api_key: 'secret', parent_id: 'x'.repeat(300) }
  const [route] = implement(
    contract,
    { change: () => ({ status: 201, body, headers: { location: '/things/8' } }) },
    { failures, onAnswered: (request) => answered.push(request), newRequestId: () => 'made', ...options },
  )
  await route?.handle(exchange)
  return answered
}

const admitted: Admission<undefined> = { caller: undefined, identity: { type: 'admin' } }

describe('implement', () => {
  it('reports the caller, the operation and its subject, and nothing but ids of bodies', async () => {
    const answered = await answeredBy({ admit: () => admitted })
    expect(answered).toEqual([
      {
        operation: 'change',
        method: 'POST',
        path: '/things/{id}',
        administrative: true,
        caller: { type: 'admin' },
        remoteAddress: '192.0.2.1',
        requestId: 'made',
        status: 201,
        refusal: undefined,
        subject: { id: '7', location: '/things/8', project_id: 'p-1', uuid: 'u-1', parent_id: 'x'.repeat(200) },
      },
    ])
    expect(JSON.stringify(answered)).not.toContain('secret')
  })

  it('reports why a request was refused, and none of its content', async () => {
    const admit = () => ({ reply: json(401), reason: 'wrong_password' }) as const
    const refused = { status: 401, refusal: 'wrong_password', subject: {}, caller: undefined }
    expect(await answeredBy({ admit })).toMatchObject([refused])
    expect(await answeredBy({ admit, isAdministrative: () => false })).toMatchObject([refused])
  })

  it('reports administrative operations only', async () => {
    expect(await answeredBy({ admit: () => admitted, isAdministrative: () => false })).toEqual([])
  })

  it('answers although the listener throws, and reports its error as a fault', async () => {
    const faults: unknown[] = []
    const [route] = implement(
      contract,
      { change: () => ({ status: 201, body: null }) },
      {
        failures,
        onAnswered: () => {
          throw new Error('a listener failed')
        },
        onFault: (error) => faults.push(error),
      },
    )
    expect((await route?.handle(exchange))?.status).toBe(201)
    expect(faults).toEqual([new Error('a listener failed')])
  })
})

describe('implementSockets', () => {
  it.each([
    ['opened', { open: () => undefined, identity: { type: 'ticket' } }, { status: 101, caller: { type: 'ticket' } }],
    ['refused', { reply: json(401), reason: 'missing_credentials' }, { status: 401, refusal: 'missing_credentials' }],
  ] as const)('reports a socket that was %s', async (_, verdict, expected) => {
    const answered: AnsweredRequest[] = []
    const [route] = implementSockets(
      { open: { path: '/sockets/{id}', params: v.unknown() } },
      { open: () => verdict },
      { failures, onAnswered: (request) => answered.push(request) },
    )
    await route?.accept(exchange)
    expect(answered).toMatchObject([{ operation: 'open', remoteAddress: '192.0.2.1', ...expected }])
  })
})
