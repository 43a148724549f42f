import { fetchHandler } from '@trivium/fetch-adapter'
import type { Exchange, Route } from '@trivium/http-contract'
import { toOpenApi } from '@trivium/http-contract/openapi'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationsOf } from './fuzz/requests/operation-model.ts'
import { assemble } from './fuzz/requests/request-parts.ts'
import { schemaValues } from './fuzz/requests/schema-values.ts'
import { wellFormed } from './fuzz/requests/well-formed.ts'
import { targets } from './fuzz/targets/targets.ts'

const encoder = new TextEncoder()

const NAMES_BODY = /body|json|'of'/i

/** Serves the route like a transport that passes a body with any method: web-standard requests of GET have no body. */
const withBody = (route: Route, text: string): Route => ({
  ...route,
  handle: ({ method, params, query, headers, remoteAddress, host, mount, signal, closing }: Exchange) => {
    const bytes = encoder.encode(text)
    return route.handle({
      ...{ method, params, query, remoteAddress, host, mount, signal, closing },
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
      body: () => ({ kind: 'bytes', bytes }),
    })
  },
})

describe.each(targets)('the $name', (target) => {
  it.each(['[]', 'null', '{"of":"no one"}', '{'])('refuses %s in every operation that takes no body', async (text) => {
    const { routes, values, authorizations, close } = await target.open()
    try {
      const bodiless = routes.filter(({ operation }) => (operation.body ?? operation.upload) === undefined)
      const document = toOpenApi([{ operations: bodiless }], { info: { title: 'Bodiless', version: '1' } })
      const schemas = schemaValues({ document, values })
      const handle = fetchHandler(bodiless.map((route) => withBody(route, text)))
      const unexpected: string[] = []
      for (const model of operationsOf(document)) {
        const arbitrary = wellFormed(model, { schemas, authorizations: authorizations.slice(0, 1) })
        const answers: string[] = []
        for (const well of fc.sample(arbitrary, { seed: 1, numRuns: 5 })) {
          const { target: path, headers } = assemble(well)
          const request = new Request(`http://127.0.0.1${path}`, {
            method: model.method,
            headers: headers.map(([name, value]): [string, string] => [name, value]),
          })
          const response = await handle(request)
          answers.push(`${response?.status} ${await response?.text()}`)
        }
        // Some generated parameters and queries are refused for other reasons.
        const isRefused = answers.some((one) => one.startsWith('400 ') && NAMES_BODY.test(one))
        if (!isRefused || answers.some((one) => one.startsWith('2'))) unexpected.push(`${model.id}: ${answers[0]}`)
      }
      expect(unexpected).toEqual([])
    } finally {
      await close()
    }
  })
})
