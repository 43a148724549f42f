import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import type { Failures } from './failures.ts'
import { implement } from './implement.ts'
import { defineContract } from './operation.ts'
import { encodedJson, eventStream, jsonLines, noBody, relay } from './response-body.ts'
import { pathRoutes } from './route-path.ts'

const failures: Failures = {
  malformed: () => ({ kind: 'empty', status: 400, headers: {} }),
  invalid: () => ({ kind: 'empty', status: 422, headers: {} }),
  tooLarge: () => ({ kind: 'empty', status: 413, headers: {} }),
  methodNotAllowed: (method, allow) => ({ kind: 'json', status: 405, headers: {}, value: `${method} not in ${allow}` }),
  unexpected: () => ({ kind: 'json', status: 500, headers: {}, value: 'fault' }),
  interrupted: () => 'fault',
}

const exchange = (method: string): Exchange => ({
  method,
  params: {},
  query: '',
  headers: {},
  body: () => ({ kind: 'none' }),
  remoteAddress: '192.0.2.1',
  host: undefined,
  mount: { origin: 'http://localhost', path: '' },
  signal: new AbortController().signal,
  closing: new AbortController().signal,
})

const contract = defineContract({
  drop: { method: 'DELETE', path: '/things/{thing_id}', responses: { 200: v.string() } },
  mine: { method: 'GET', path: '/things/mine', responses: { 200: v.string() } },
  read: { method: 'GET', path: '/things/{id}', responses: { 200: v.string() } },
})

const routes = implement(
  contract,
  {
    drop: () => ({ status: 200, body: 'drop' }),
    mine: () => ({ status: 200, body: 'mine' }),
    read: () => ({ status: 200, body: 'read ü' }),
  },
  { failures, headers: () => ({ server: 'Test' }) },
)

describe('pathRoutes', () => {
  const paths = pathRoutes(routes)

  it('sorts literal segments before parameters, and joins methods regardless of the names of their parameters', () => {
    expect(paths.map(({ template, allow }) => [template.source, allow])).toEqual([
      ['/things/mine', 'GET, HEAD, OPTIONS'],
      ['/things/{thing_id}', 'GET, HEAD, DELETE, OPTIONS'],
    ])
    expect(paths[1]?.methods.get('GET')?.template.names).toEqual(['id'])
    expect(paths[1]?.methods.get('DELETE')?.template.names).toEqual(['thing_id'])
  })

  it('answers HEAD as GET, without a body', async () => {
    const reply = await paths[1]?.methods.get('HEAD')?.handle(exchange('HEAD'))
    expect(reply).toEqual({
      kind: 'empty',
      status: 200,
      headers: { server: 'Test', 'content-type': 'application/json', 'content-length': '9' },
    })
  })

  it('answers OPTIONS with 204 and undeclared methods with 405, both with the header `allow`', async () => {
    expect(await paths[0]?.methods.get('OPTIONS')?.handle(exchange('OPTIONS'))).toEqual({
      kind: 'empty',
      status: 204,
      headers: { server: 'Test', allow: 'GET, HEAD, OPTIONS' },
    })
    expect(await paths[0]?.method('PUT').handle(exchange('PUT'))).toEqual({
      kind: 'json',
      status: 405,
      headers: { server: 'Test', allow: 'GET, HEAD, OPTIONS' },
      value: 'PUT not in GET, HEAD, OPTIONS',
    })
  })

  it('answers OPTIONS as the `options` of the routes do', async () => {
    const options = (allow: string) =>
      ({ kind: 'json', status: 200, headers: { 'x-allow': allow }, value: {} }) as const
    const [path] = pathRoutes(
      implement(
        { only: { method: 'POST', path: '/', responses: { 200: v.string() } } },
        { only: () => ({ status: 200, body: '' }) },
        { failures, options },
      ),
    )
    expect(await path?.methods.get('OPTIONS')?.handle(exchange('OPTIONS'))).toEqual({
      kind: 'json',
      status: 200,
      headers: { allow: 'POST, OPTIONS', 'x-allow': 'POST, OPTIONS' },
      value: {},
    })
  })

  it('throws for two routes of the same method and path', () => {
    const twice = implement(
      { again: { method: 'GET', path: '/things/{other}', responses: { 200: v.string() } } },
      { again: () => ({ status: 200, body: '' }) },
      { failures },
    )
    expect(() => pathRoutes([...routes, ...twice])).toThrow(/'read' and 'again' are both GET/)
  })
})

describe('HEAD of a path', () => {
  const head = async (body: 'iterable' | 'relay' | 'lines' | 'encoded' | 'circular') => {
    const seen: string[] = []
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          seen.push('next')
          return { done: false as const, value: 1 }
        },
        return: async () => {
          seen.push('return')
          return { done: true as const, value: undefined }
        },
      }),
    }
    const circular: Record<string, unknown> = {}
    circular.itself = circular
    const relayed = relay(
      () => {
        seen.push('start')
        return { resume: () => undefined, close: () => undefined }
      },
      () => seen.push('cancel'),
    )
    const [path] = pathRoutes(
      implement(
        defineContract({
          get: {
            method: 'GET',
            path: '/',
            responses: { 200: eventStream(v.number()), 201: jsonLines(v.number()), 202: v.unknown() },
          },
        }),
        {
          get: () => {
            if (body === 'encoded') return { status: 202, body: encodedJson('{"a":1}') }
            if (body === 'circular') return { status: 202, body: circular }
            return body === 'lines'
              ? { status: 201, body: source }
              : { status: 200, body: body === 'relay' ? relayed : source }
          },
        },
        { failures, onFault: (error) => seen.push(error instanceof Error ? error.name : '') },
      ),
    )
    return { reply: await path?.methods.get('HEAD')?.handle(exchange('HEAD')), seen }
  }

  it('closes a stream without reading it', async () => {
    const { reply, seen } = await head('iterable')
    expect(seen).toEqual(['return'])
    expect(reply).toMatchObject({ kind: 'empty', status: 200, headers: { 'content-type': 'text/event-stream' } })
    expect((await head('lines')).seen).toEqual(['return'])
  })

  it('returns 405 without a body when the path has no GET', async () => {
    const [path] = pathRoutes(
      implement(
        { only: { method: 'POST', path: '/x', responses: { 204: noBody } } },
        { only: () => ({ status: 204 }) },
        { failures },
      ),
    )
    const reply = await path?.method('HEAD').handle(exchange('HEAD'))
    expect(reply).toMatchObject({ kind: 'empty', status: 405, headers: { allow: 'POST, OPTIONS' } })
  })

  it('cancels a relay without starting it', async () => {
    expect((await head('relay')).seen).toEqual(['cancel'])
  })

  it('answers with the length of encoded JSON, and with 500 when GET fails', async () => {
    expect((await head('encoded')).reply?.headers['content-length']).toBe('7')
    const { reply, seen } = await head('circular')
    expect([reply?.status, reply?.kind, seen]).toEqual([500, 'empty', ['TypeError']])
  })
})
