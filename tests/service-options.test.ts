import { aiSdkProvider } from '@trivium/ai-sdk-provider'
import { anthropicProvider } from '@trivium/anthropic-provider'
import { consoleRoutes } from '@trivium/console'
import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation } from '@trivium/emulation-core'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { openAiProvider } from '@trivium/openai-provider'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes, storageSocketRoutes } from '@trivium/storage-core/http'
import { describe, expect, it } from 'vitest'

const gateway = createGateway({ providers: [localProvider()] })
const emulation = createEmulation(embeddedLab())
const storage = createStorage()

/** A function that takes options, as plain JavaScript calls it. */
interface Configured {
  readonly call: (options: unknown) => unknown
  readonly valid: object
  readonly misspelt: string
  readonly needsOptions: boolean
}

/** Calls a function without its types. */
const call = (target: object, ...values: readonly unknown[]): unknown => {
  if (typeof target !== 'function') throw new Error('Not a function')
  return Reflect.apply(target, undefined, values)
}

const functions: Readonly<Record<string, Configured>> = {
  createGateway: {
    call: (options) => call(createGateway, options),
    valid: { providers: [localProvider()] },
    misspelt: 'databse',
    needsOptions: true,
  },
  createEmulation: {
    call: (options) => call(createEmulation, options),
    valid: embeddedLab(),
    misspelt: 'databse',
    needsOptions: true,
  },
  createStorage: {
    call: (options) => call(createStorage, options),
    valid: {},
    misspelt: 'databse',
    needsOptions: false,
  },
  gatewayRoutes: {
    call: (options) => call(gatewayRoutes, gateway, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: false,
  },
  emulationRoutes: {
    call: (options) => call(emulationRoutes, emulation, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: false,
  },
  emulationSocketRoutes: {
    call: (options) => call(emulationSocketRoutes, emulation, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: false,
  },
  storageRoutes: {
    call: (options) => call(storageRoutes, storage, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: false,
  },
  storageSocketRoutes: {
    call: (options) => call(storageSocketRoutes, storage, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: false,
  },
  consoleRoutes: {
    call: (options) => call(consoleRoutes, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: true,
  },
  openAiProvider: {
    call: (options) => call(openAiProvider, options),
    valid: { baseUrl: 'http://127.0.0.1:1/v1' },
    misspelt: 'endpoint',
    needsOptions: true,
  },
  anthropicProvider: {
    call: (options) => call(anthropicProvider, options),
    valid: {},
    misspelt: 'cacheBreakpoint',
    needsOptions: false,
  },
  aiSdkProvider: {
    call: (options) => call(aiSdkProvider, options),
    valid: { id: 'sdk' },
    misspelt: 'models',
    needsOptions: true,
  },
  localProvider: {
    call: (options) => call(localProvider, options),
    valid: {},
    misspelt: 'scripts',
    needsOptions: false,
  },
}

describe.each(Object.entries(functions))('%s', (name, { call, valid, misspelt, needsOptions }) => {
  it('refuses an option that does not exist', () => {
    expect(() => call({ ...valid, [misspelt]: {} })).toThrow(new TypeError(`${name} has no option '${misspelt}'.`))
    expect(() => call({ ...valid, constructor: 1 })).toThrow(new TypeError(`${name} has no option 'constructor'.`))
  })

  it('accepts options that are undefined', () => {
    expect(() => call({ ...valid, [misspelt]: undefined, onFault: undefined })).not.toThrow()
  })

  it.each([null, 5, 'sqlite:state.sqlite'])('refuses the options %j', (options) => {
    expect(() => call(options)).toThrow(new TypeError(`${name} needs options.`))
  })

  it(needsOptions ? 'refuses a call without options' : 'needs no options', () => {
    if (needsOptions) expect(() => call(undefined)).toThrow(new TypeError(`${name} needs options.`))
    else expect(() => call(undefined)).not.toThrow()
  })
})

describe('createGateway', () => {
  const create = (options: object) => call(createGateway, { providers: [localProvider()], ...options })

  it.each([
    [{ responses: { retention: 3 } }, "'responses' of createGateway has no option 'retention'."],
    [{ apiKeys: { cache: 3 } }, "'apiKeys' of createGateway has no option 'cache'."],
    [{ chat: { drains: {} } }, "'chat' of createGateway has no option 'drains'."],
    [{ chat: { drain: { streams: 1 } } }, "'chat.drain' of createGateway has no option 'streams'."],
    [{ search: { byModels: { rounds: 1 } } }, "'search.byModels' of createGateway has no option 'rounds'."],
    [
      { endpoints: { defaultModels: { embedding: 'x' } } },
      "'endpoints.defaultModels' of createGateway has no option 'embedding'.",
    ],
    [
      { models: { fast: { targets: [{ model: 'local/x' }], fallback: [] } } },
      "'models.fast' of createGateway has no option 'fallback'.",
    ],
    [{ timeouts: 5 }, "'timeouts' of createGateway needs options."],
  ])('refuses %j, which would have no effect', (options, message) => {
    expect(() => create(options)).toThrow(new TypeError(message))
  })

  it('accepts options that turn a part off or are undefined', () => {
    expect(() => create({ responses: false, search: { byModels: false }, chat: { drain: undefined } })).not.toThrow()
  })
})

it.each([
  [() => gatewayRoutes(gateway, { chatBodyLimit: -1 }), "'chatBodyLimit' must be a number from 1"],
  [() => anthropicProvider({ maxAnswerBytes: 0 }), "'maxAnswerBytes' must be a number from 1"],
  [() => anthropicProvider({ defaultMaxTokens: 0 }), "'defaultMaxTokens' must be a number from 1"],
  [
    () => call(openAiProvider, { baseUrl: 'http://a/v1', endpoints: ['embedding'] }),
    "There is no endpoint 'embedding'",
  ],
])('refuses values out of their range: %s', (use, message) => {
  expect(use).toThrow(message)
})

describe.each(Object.entries(functions).filter(([name]) => name.endsWith('Routes')))('%s', (_, { call }) => {
  it.each([
    ['a function', () => ({ type: 'admin' })],
    ['a text', 'open'],
    ['a list', []],
    ['null', null],
  ])('refuses %s as rules', (_, authorize) => {
    const message = "'authorize' must be an object with rules by the ids of operations, or '*' for all of them."
    expect(() => call({ authorize })).toThrow(new TypeError(message))
  })

  it('accepts rules that it shares with the other services', () => {
    const shared = { admin: adminCheck('secret'), authorize: { '*': () => 'default' } }
    expect(() => call(shared)).not.toThrow()
    expect(() => call({ ...shared, onFault: () => {}, onAnswered: () => {} })).not.toThrow()
  })
})
