import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { implement } from '../implement.ts'
import { defineContract } from '../operation.ts'
import { bytes, eventStream, jsonLines, jsonOr, noBody } from '../response-body.ts'
import { defineSockets } from '../socket.ts'
import { type OpenApiPart, toOpenApi, toOpenApiInTurns } from './index.ts'

const thing = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.description('Given by the service')),
    size: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.integer()),
    tags: v.optional(v.array(v.string()), []),
    owner: v.nullable(v.pipe(v.object({ name: v.string() }), v.title('Owner'))),
  }),
  v.title('Thing'),
  v.check(() => true),
)

interface Directory {
  readonly name: string
  readonly directories: readonly Directory[]
}

const directory: v.GenericSchema<Directory> = v.object({
  name: v.string(),
  directories: v.array(v.lazy(() => directory)),
})

const failure = v.pipe(v.object({ error: v.string() }), v.title('Failure'))

const contract = defineContract({
  readThing: {
    method: 'GET',
    path: '/things/{id}',
    summary: 'Reads a thing',
    description: 'With all of its fields.',
    tags: ['things'],
    params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
    query: v.looseObject({ fields: v.optional(v.string()), 'owner.name': v.optional(v.array(v.string())) }),
    headers: v.object({ 'x-scope': v.picklist(['a', 'b']), authorization: v.optional(v.string()) }),
    responses: { 200: thing, 404: failure },
  },
  changeThing: {
    method: 'PATCH',
    path: '/things/{id}',
    tags: ['things'],
    body: v.optional(v.partial(v.object({ size: v.number() }))),
    responses: { 204: noBody, 409: failure },
  },
  createThing: {
    method: 'POST',
    path: '/things',
    query: v.intersect([v.object({ wait: v.optional(v.string()) }), v.object({ force: v.string() })]),
    body: thing,
    responses: { 201: thing, 202: jsonOr(thing, eventStream(v.object({ n: v.number() }))) },
  },
  file: { method: 'GET', path: '/files/{path+}', responses: { 200: bytes('application/octet-stream') } },
  directories: { method: 'GET', path: '/directories', responses: { 200: directory, 206: jsonLines(directory) } },
  events: { method: 'GET', path: '/events', responses: { 200: eventStream(v.unknown()) } },
})

const sockets = defineSockets({
  console: { path: '/consoles/{id}', summary: 'A console', params: v.object({ id: v.string() }), query: v.object({}) },
})

const part: OpenApiPart = {
  operations: contract,
  sockets,
  prefix: '/api',
  security: (id) => (id === 'events' ? [] : [{ key: [] }]),
  responses: { 500: failure },
}

const options = {
  info: { title: 'Things', version: '1.0.0' },
  servers: [{ url: 'http://localhost:8787' }],
  securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
}

describe('toOpenApi', () => {
  const document = toOpenApi([part], options)

  it('creates valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('creates a target for each reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(5)
    for (const [, name = ''] of references) expect(document.components?.schemas?.[name]).toBeDefined()
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it('describes the operations of the contract', () => {
    expect(document).toMatchSnapshot()
  })

  it('describes JSON in place of a form, and the headers of successful responses', () => {
    const edits = defineContract({
      edit: {
        method: 'POST',
        path: '/edits',
        upload: v.object({ image: v.string() }),
        uploadJson: v.object({ address: v.string() }),
        responses: { 200: noBody, 404: failure },
        responseHeaders: { 'x-editor': 'Who edited it.' },
      },
    })
    const { requestBody, responses } = toOpenApi([{ operations: edits }], options).paths['/edits']?.post ?? {}
    expect(requestBody?.content).toMatchObject({
      'multipart/form-data': { schema: { required: ['image'] } },
      'application/json': { schema: { required: ['address'] } },
    })
    expect(responses?.[200]?.headers).toEqual({
      'x-editor': { description: 'Who edited it.', schema: { type: 'string' } },
    })
    expect(responses?.[404]).not.toHaveProperty('headers')
  })

  it('creates the same document from routes as from their contract', () => {
    const answer = () => {
      throw new Error('not called')
    }
    const handlers = {
      readThing: answer,
      changeThing: answer,
      createThing: answer,
      file: answer,
      directories: answer,
      events: answer,
    }
    const empty = () => ({ kind: 'empty', status: 500, headers: {} }) as const
    const failures = {
      malformed: empty,
      invalid: empty,
      tooLarge: empty,
      methodNotAllowed: empty,
      unexpected: empty,
      interrupted: () => ({}),
    }
    const routes = implement(contract, handlers, { failures })
    expect(toOpenApi([{ ...part, operations: routes }], options)).toEqual(document)
  })

  it('describes the form of an upload', () => {
    const file = v.pipe(v.string(), v.metadata({ format: 'binary' }))
    const operations = defineContract({
      upload: { method: 'POST', path: '/files', upload: v.object({ file }), responses: { 204: noBody } },
    })
    const { paths } = toOpenApi([{ operations }], options)
    expect(paths['/files']?.post?.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: expect.objectContaining({ properties: { file: { type: 'string', format: 'binary' } } }),
        },
      },
    })
  })

  it('describes an upload that is the file itself', () => {
    const upload = v.pipe(v.string(), v.metadata({ format: 'binary' }))
    const operations = defineContract({
      put: {
        method: 'PUT',
        path: '/file',
        upload,
        uploadType: 'application/octet-stream',
        responses: { 204: noBody },
      },
    })
    const { paths } = toOpenApi([{ operations }], options)
    expect(paths['/file']?.put?.requestBody?.content).toEqual({
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    })
  })

  it('numbers operations and schemas of several parts that have the same name', () => {
    const other = {
      list: { method: 'GET', path: '/', responses: { 200: v.pipe(v.object({}), v.title('Thing')) } },
    } as const
    const both = toOpenApi(
      [{ operations: { list: contract.readThing } }, { operations: other, prefix: '/other' }],
      options,
    )
    expect(both.paths['/other/']?.get?.operationId).toBe('list2')
    expect(Object.keys(both.components?.schemas ?? {})).toEqual(['Failure', 'Owner', 'Thing', 'Thing2'])
  })
})

describe('toOpenApiInTurns', () => {
  it('resolves with the same document', async () => {
    expect(await toOpenApiInTurns([part], options)).toEqual(toOpenApi([part], options))
  })

  it('serves other work between the operations', async () => {
    const operations = Array.from({ length: 400 }, () => part)
    let isServed = false
    setTimeout(() => {
      isServed = true
    })
    await toOpenApiInTurns(operations, options)
    expect(isServed).toBe(true)
  })
})
