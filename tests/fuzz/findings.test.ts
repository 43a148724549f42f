import type { Reply, Route } from '@trivium/http-contract'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { fuzzService, type ServiceOptions } from './fuzz-service.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

async function* cutStream() {
  yield '{"number":'
  throw new Error('cut')
}

/** Returns a service with one operation that answers with the reply, and reports the fault. */
function serviceOf(reply: Reply | Promise<Reply>, fault?: unknown): FuzzTarget {
  const faults: unknown[] = []
  const handle: Route['handle'] = async () => {
    if (fault !== undefined) faults.push(fault)
    return reply
  }
  const route: Route = {
    id: 'getThing',
    operation: {
      method: 'GET',
      path: '/thing',
      responses: { 200: v.object({ number: v.number() }), 405: v.object({}), 503: v.object({}) },
    },
    slashes: 'exact',
    handle,
    refuseMethod: (_, allow) => ({ ...json(405, {}), headers: { allow } }),
    describe: (allow) => ({ kind: 'empty', status: 204, headers: { allow } }),
    fail: () => json(503, {}),
  }
  return {
    name: 'one operation',
    open: async () => ({
      routes: [route],
      sockets: [],
      socketRefusals: {},
      authorizations: ['Bearer x'],
      values: {},
      costly: [],
      endless: [],
      faults,
      advance: () => undefined,
      restore: async () => undefined,
      inspect: async () => [],
      close: async () => undefined,
    }),
  }
}

describe.each([
  ['without a socket', 1],
  ['over Express', 3],
  ['over Fastify', 7],
])('the fuzzer %s', (_, seed) => {
  const findings = async (target: FuzzTarget, options: Partial<ServiceOptions> = {}) =>
    (await fuzzService(target, { seed, requests: 60, ...options })).findings.map(({ what }) => what).join('\n')

  it('finds no problem where answers are as declared', async () => {
    expect(await findings(serviceOf(json(200, { number: 1 })))).toBe('')
  })

  it.each<readonly [what: string, reply: Reply, expected: RegExp]>([
    [
      'a body that does not match its schema',
      json(200, { number: 'one' }),
      /200: does not match its schema at \/number/,
    ],
    [
      'a body that is not JSON',
      { kind: 'bytes', status: 200, headers: { 'content-type': 'application/json' }, value: '{' },
      /is not JSON/,
    ],
    ['an undeclared status', json(201, { number: 1 }), /201: has an undeclared status/],
    [
      'an undeclared type',
      { kind: 'bytes', status: 200, headers: { 'content-type': 'text/html' }, value: '<p>' },
      /undeclared type 'text\/html'/,
    ],
    ['a fault of the service, also a declared one', json(503, {}), /503: is a fault/],
    [
      'an answer that ends early',
      {
        kind: 'stream',
        status: 200,
        headers: { 'content-type': 'application/json' },
        chunks: { [Symbol.asyncIterator]: cutStream },
      },
      /no answer: failed/,
    ],
  ])('finds %s', async (_, reply, expected) => {
    expect(await findings(serviceOf(reply))).toMatch(expected)
  })

  it('finds an absent answer', async () => {
    const silent = serviceOf(new Promise(() => undefined))
    expect(await findings(silent, { requests: 5, deadlineMs: 20 })).toMatch(/failed: took too long/)
  })

  it('finds a fault that the service reports while it answers 200', async () => {
    expect(await findings(serviceOf(json(200, { number: 1 }), new Error('of the service')))).toMatch(
      /fault: of the service/,
    )
  })
})
