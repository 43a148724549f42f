import { consoleRoutes } from '@trivium/console'
import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation } from '@trivium/emulation-core'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
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
  consoleRoutes: {
    call: (options) => call(consoleRoutes, options),
    valid: {},
    misspelt: 'autorize',
    needsOptions: true,
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
