import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation, type Emulation } from '@trivium/emulation-core'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import { createGateway, type GatewayOptions } from '@trivium/gateway-core'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { createStorage, type StorageOptions } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from '../packages/gateway-core/tests/fake-provider.ts'

/**
 * A service, its method, valid arguments of it, and values that are refused, by the path of the field in the arguments.
 */
type Method = readonly [string, string, readonly unknown[], Readonly<Record<string, readonly unknown[]>>]

/** Counts the calls of all repositories of a bundle. */
function counted<Repositories extends object>(repositories: Repositories, onCall: () => void): Repositories {
  const watch = (repository: object) =>
    new Proxy(repository, {
      get(target, name) {
        onCall()
        return Reflect.get(target, name)
      },
    })
  const entries = Object.entries(repositories).map(([name, repository]) => [name, watch(repository)] as const)
  return Object.assign(Object.create(Object.getPrototypeOf(repositories)), Object.fromEntries(entries))
}

const call = { requestId: 'r1', caller: { type: 'admin' }, signal: new AbortController().signal }
const query = { from: new Date(0), to: new Date(1), groupBy: ['key'], limit: 10 }
const search = { text: 'cats', type: 'text', maxResults: 10, region: 'all', safeSearch: 'off' }
const image = { prompt: 'a cat', count: 1, extra: {}, delivery: 'inline' }
const chat = { body: { model: 'fake/one', messages: [{ role: 'user', content: 'Hi' }] }, raw: undefined }

const message = { body: { ...chat.body, max_tokens: 5 } }
const response = { body: { model: 'fake/one', input: 'Hi', store: false } }

const gatewayMethods: readonly Method[] = [
  [
    'apiKeys',
    'generate',
    [{ username: 'ada' }],
    {
      '0.username': ['', 'x'.repeat(129), 'a\nb', 5, null, undefined],
      '0.name': ['', 'x'.repeat(129), 7, {}],
      '0.rateLimit': [-5, 0, 1.5, 100_001, Number.NaN, '7', Number.POSITIVE_INFINITY, null],
      '0.expiresInDays': [-1, 0, 36_501, 0.5, '1'],
      '0.budget': [5, 'none', null],
      '0.budget.tokensPerDay': [0, -1, 1.5, '9', Number.MAX_VALUE],
    },
  ],
  [
    'apiKeys',
    'list',
    [{ limit: 10 }],
    { '0.limit': [0, -1, 1.5, 1002, '10', undefined], '0.username': [5, 'a\0'], '0.after': [5] },
  ],
  ['apiKeys', 'find', ['k'], { '0': [5, undefined, 'x'.repeat(65)] }],
  [
    'apiKeys',
    'change',
    ['k', {}],
    {
      '0': [5, {}],
      '1': [null, 5],
      '1.name': ['', 5, 'x'.repeat(129)],
      '1.rateLimit': [0, -5, Number.NaN, '7', null],
      '1.budget': [5, null],
      '1.budget.spend': [5, {}, { most: -1 }, { most: 0.5 }, { most: 1, period: 'week' }],
      '1.budget.parallel': [0, 1.5, '1'],
      '1.policy.models': ['*', [''], [5], Array(201).fill('a')],
      '1.policy.ipRanges': [['10.0.0.0/33'], ['example.com'], '::1'],
      '1.policy.disabled': ['yes', 1],
      '1.teamId': [5, 'x'.repeat(65)],
      '1.tags': ['a', ['a', 'a'], Array(21).fill(0).map(String)],
      '1.metadata': [{ a: 1 }, { '': 'a' }, { a: 'x'.repeat(513) }],
      '1.expiresAt': [5, '2027-01-01'],
    },
  ],
  [
    'groups',
    'create',
    [{ kind: 'team', name: 'red' }],
    {
      '0.kind': ['key', undefined],
      '0.name': ['', 'x'.repeat(129), 5, undefined],
      '0.owners': ['x', [5], Array(101).fill('a')],
      '0.rateLimit': [0, '5'],
    },
  ],
  ['groups', 'find', ['team', 'k'], { '0': ['key', 5], '1': [5, 'x'.repeat(65)] }],
  ['groups', 'list', [{ kind: 'user', limit: 10 }], { '0.kind': [undefined], '0.limit': [0, 1002, '5'] }],
  ['groups', 'change', ['team', 'k', {}], { '0': ['key'], '1': [5], '2': [5], '2.name': ['', null] }],
  ['groups', 'remove', ['team', 'k'], { '0': ['key'], '1': [5] }],
  ['apiKeys', 'count', [{}], { '0.username': [5], '0.teamId': [5, 'x'.repeat(65)], '0.limit': [5] }],
  ['apiKeys', 'rotate', ['k'], { '0': [5, null] }],
  ['apiKeys', 'revoke', ['k'], { '0': [5, null] }],
  [
    'usage',
    'summarize',
    [call.caller, query],
    {
      '0': [undefined, 'admin'],
      '1.from': [new Date(Number.NaN), '2026-01-01', 5, new Date(2)],
      '1.to': [new Date(Number.NaN), undefined],
      '1.groupBy': ['key', ['username'], undefined],
      '1.limit': [0, 10_002, Number.NaN, '5'],
      '1.account': [5],
      '1.top': [5, { count: 0, order: 'cost' }, { count: 1001, order: 'cost' }, { count: 1, order: 'size' }],
      '1.tag': ['', 't'.repeat(65), 5],
      '1.teamId': [''],
      '1.status': [99, '200'],
      '1.operation': ['chats'],
      '1.endUser': ['e'.repeat(257)],
    },
  ],
  [
    'search',
    'search',
    [call, search],
    {
      '0': [undefined],
      '1.text': ['', 'x'.repeat(2001), 5],
      '1.type': ['maps', 5],
      '1.maxResults': [0, 101, '5'],
      '1.region': ['US-en', 5, ''],
      '1.safeSearch': ['maybe', true],
      '1.engine': [5],
    },
  ],
  [
    'images',
    'generate',
    [call, image],
    {
      '0': [undefined],
      '1.prompt': ['', 5],
      '1.count': [0, 11, 1.5, '1'],
      '1.size': [{ width: 0, height: 1 }, 5],
      '1.delivery': ['post', undefined],
      '1.timeoutSeconds': [0, 3601, '1'],
      '1.model': ['', 5],
      '1.extra': [5],
    },
  ],
  ['images', 'find', ['id'], { '0': [5, undefined] }],
  ['models', 'find', ['fake/one'], { '0': [5, undefined] }],
  ['models', 'list', [], { '0': ['video', 5] }],
  ...(['complete', 'stream'] as const).map(
    (name) =>
      [
        'chat',
        name,
        [call, chat],
        {
          '0': [undefined],
          '1.body.model': ['', 5],
          '1.body.messages': [[], 'Hi', undefined],
          '1.body.timeout': [0, 3601, '5'],
          '1.body.n': [0, 129],
          '1.body.max_tokens': [0, -1, '5'],
        },
      ] as const,
  ),
  ...(['complete', 'stream'] as const).flatMap((name): readonly Method[] => [
    [
      'messages',
      name,
      [call, message],
      {
        '0': [undefined],
        '1': [undefined],
        '1.body': [undefined, 5],
        '1.body.model': ['', 5],
        '1.body.messages': [[], 'Hi', undefined],
        '1.body.max_tokens': [-1, 1.5, '5', undefined],
        '1.body.timeout': [0, 3601, '5'],
        '1.body.stream': ['yes', 1],
      },
    ],
    [
      'responses',
      name,
      [call, response],
      {
        '0': [undefined],
        '1': [undefined],
        '1.body.model': ['', 5],
        '1.body.input': [5, {}],
        '1.body.max_output_tokens': [0, -1, '5'],
        '1.body.timeout': [0, 3601, '5'],
        '1.body.stream': ['yes', 1],
        '1.body.background': ['yes', 1],
        '1.body.store': ['yes', 1],
      },
    ],
  ]),
  [
    'messages',
    'countTokens',
    [call, message],
    { '0': [undefined], '1.body.model': ['', 5, undefined], '1.body.messages': [[], 'Hi', undefined] },
  ],
]

const page = { query: { all: [] }, order: [], limit: 10 }
const pageFields = (at: string) => ({
  [`${at}query`]: [undefined, 5],
  [`${at}order`]: ['name'],
  [`${at}limit`]: [0, Number.NaN, '5', 1.5],
})
const rule = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'user', users: [{ name: 'ada' }] }
const clone = { volume: { name: 'vol1' }, source: 'a', destination: 'b' }
const ids = [5, null, undefined]

const storageMethods: readonly Method[] = [
  [
    'cloneTokens',
    'create',
    [{ node: 'n', reserveSize: 5 }],
    {
      '0.node': ids,
      '0.reserveSize': [Number.NaN, '5', 1.5, 2 ** 60, undefined],
      '0.lifetimeSeconds': [Number.NaN, '60'],
      '0.ownerId': ['', 'x'.repeat(129), 5, null],
    },
  ],
  ['cloneTokens', 'changeExpiry', ['n', 't', 60], { '0': ids, '1': ids, '2': [Number.NaN, '60', undefined] }],
  ['cloneTokens', 'list', [page], pageFields('0.')],
  [
    'fileClones',
    'create',
    [clone],
    {
      '0.source': ids,
      '0.destination': ids,
      '0.ranges': ['0:0:1', [5]],
      '0.overwrite': ['yes'],
      '0.volume': ['vol1'],
      '0.split': ['yes', 1],
      '0.token': [5],
      '0.tokenOwnerId': ['', 'x'.repeat(129), 5, null],
      '0.among': ['vol1', [5]],
    },
  ],
  [
    'quotaRules',
    'create',
    [rule],
    {
      '0.type': ['everyone', 5, undefined],
      '0.users': ['ada', ['ada']],
      '0.group': ['staff'],
      '0.qtree': [5],
      '0.userMapping': ['on'],
      '0.limits': [5],
      '0.limits.spaceHard': ['10M', Number.NaN],
      '0.svm': ['svm1'],
    },
  ],
  ['quotaRules', 'update', ['r', {}], { '0': ids, '1': ids, '1.limits': [5], '1.userMapping': ['on'] }],
  ['quotaRules', 'delete', ['r'], { '0': ids, '1': [5] }],
  ['quotaRules', 'list', [page], pageFields('0.')],
  [
    'qtrees',
    'create',
    [{ volume: { name: 'vol1' }, name: 'q' }],
    {
      '0.name': [5],
      '0.securityStyle': ['dos', 5],
      '0.unixPermissions': [-1, 888, '755', 77_777],
      '0.exportPolicy': [5],
    },
  ],
  ['qtrees', 'update', ['v', 1, {}], { '0': ids, '1': ['1', Number.NaN, 1.5], '2': [5], '2.unixPermissions': [9] }],
  ['qtrees', 'list', [page], pageFields('0.')],
  ['volumes', 'setQuota', ['v', true], { '0': ids, '1': ['on', 1, undefined] }],
  ['volumes', 'list', [page], pageFields('0.')],
  ['jobs', 'wait', [{ uuid: 'j' }, 10], { '0': ids, '1': [-1, Number.NaN, 2 ** 40, '10'] }],
  ['jobs', 'cancel', ['j'], { '0': ids }],
  ['nodes', 'setSplitLoadMaximum', ['n', 2 ** 20], { '0': ids, '1': [Number.NaN, '1M', undefined] }],
  ['quotaReports', 'find', ['v', 1], { '0': ids, '1': ['1', Number.NaN] }],
  ['quotaReports', 'list', [page], { ...pageFields('0.'), '0.defaults': ['no'] }],
  ['splits', 'statusOf', ['v'], { '0': ids }],
  ['splits', 'find', ['s'], { '0': ids }],
  ['splits', 'list', [page], pageFields('0.')],
  [
    'splits',
    'request',
    [{ volume: { name: 'vol1' }, path: 'f' }],
    { '0.path': ids, '0.volume': ['vol1'], '0.token': [5], '0.tokenOwnerId': ['', 5], '0.among': ['vol1', [5]] },
  ],
  [
    'splits',
    'change',
    ['s', { state: 'paused', order: 1 }],
    { '0': ids, '1': ids, '1.state': ['running', 5], '1.order': [0, 1.5, '1', Number.NaN] },
  ],
  ['splits', 'cancel', ['s'], { '0': ids }],
  ['files', 'find', ['v', 'f'], { '0': ids, '1': ids }],
]

const id = '5a1b0000-0000-4000-8000-000000000001'
const reference = { projectId: id, kind: 'virtual-pc', id }
const nic = { adapter: 0, port: 0 }
const nio = { type: 'udp', localPort: 10_000, remoteHost: '127.0.0.1', remotePort: 10_001 }
const impairment = {
  delayMilliseconds: 0,
  jitterMilliseconds: 0,
  lossPercent: 0,
  duplicationPercent: 0,
  corruptionPercent: 0,
  bandwidthBitsPerSecond: 0,
  queueBytes: 0,
}
const referenceFields = {
  '0': ids,
  '0.projectId': ids,
  '0.kind': ['toaster', 5, undefined, 'constructor'],
  '0.id': ids,
}
const drawingReference = { projectId: id, id }
const drawingFields = { '0': ids, '0.projectId': ids, '0.id': ids }
const ports = [0, -1, 65_536, 1.5, '2000', Number.NaN]

const emulationMethods: readonly Method[] = [
  [
    'projects',
    'create',
    [{}],
    { '0': [undefined, 5], '0.id': ['../../etc', '', 5], '0.path': [5], '0.temporary': ['yes', 1] },
  ],
  ['projects', 'update', [id, {}], { '0': ids, '1.path': [5], '1.temporary': ['yes'] }],
  ...(['find', 'commit', 'close', 'remove'] as const).map((name) => ['projects', name, [id], { '0': ids }] as const),
  [
    'instances',
    'create',
    [{ projectId: id, kind: 'virtual-pc', name: 'PC1', settings: {} }],
    {
      '0.projectId': ids,
      '0.kind': ['toaster', 5],
      '0.id': ['..', 5],
      '0.name': ['', '..', 'a/b', 'x'.repeat(256), 5],
      '0.settings': [undefined, 5],
      '0.settings.console': ports,
      '0.text': [5],
    },
  ],
  [
    'instances',
    'create',
    [{ projectId: id, kind: 'machine', name: 'M1', settings: { program: 'qemu' } }],
    {
      '0.settings.program': ['', 5],
      '0.settings.memoryMegabytes': [0, -1, '256'],
      '0.settings.adapters': [-1, 276],
      '0.settings.macAddress': ['0e:00', '01:00:00:00:00:00'],
      '0.settings.cpus': [0, 256],
      '0.settings.customAdapters': [[{ adapter: 275 }], [{}], 5],
      '0.settings.monitor': ports,
      '0.settings.cpuThrottlingPercent': [801],
      '0.settings.priority': ['highest'],
      '0.settings.primaryDisk': [5, 'a\nb'],
      '0.settings.options': ['x'.repeat(16_385)],
    },
  ],
  [
    'instances',
    'create',
    [{ projectId: id, kind: 'ethernet-switch', name: 'S1', settings: {} }],
    {
      '0.settings.ports': [
        '1',
        [{ port: 0, type: 'access', vlan: 1 }],
        [{ port: 1, type: 'access', vlan: 4095 }],
        [
          { port: 1, type: 'access', vlan: 1 },
          { port: 1, type: 'access', vlan: 2 },
        ],
      ],
    },
  ],
  ['instances', 'update', [reference, {}], { ...referenceFields, '1.name': ['', 5], '1.settings.console': ports }],
  ['instances', 'list', [id], { '0': ids, '1': ['toaster', 5] }],
  ...(['find', 'remove', 'text'] as const).map((name) => ['instances', name, [reference], referenceFields] as const),
  ...(['start', 'stop', 'suspend', 'resume', 'reload'] as const).map(
    (name) => ['lifecycle', name, [reference], referenceFields] as const,
  ),
  [
    'connections',
    'connect',
    [reference, nic, { nio }],
    {
      ...referenceFields,
      '1.adapter': [-1, 1.5, '0', undefined],
      '1.port': [-1, Number.NaN],
      '2.nio.localPort': ports,
      '2.nio.remotePort': ports,
      '2.nio.remoteHost': ['', 5],
      '2.nio.type': ['pigeon', 5],
      '2.linkUp': ['up'],
      '2.impairments': [{ outgoing: { ...impairment, lossPercent: 101 }, incoming: impairment }, 5],
    },
  ],
  ['connections', 'change', [reference, nic, {}], { ...referenceFields, '2.linkUp': ['down'] }],
  ['connections', 'disconnect', [reference, nic], { ...referenceFields, '1': ids }],
  [
    'drawings',
    'create',
    [{ projectId: id, svg: '<svg/>' }],
    {
      '0': [undefined, 5],
      '0.projectId': ids,
      '0.id': ['..', 5],
      '0.svg': ['', 'a'.repeat(262_145), 5, undefined],
      '0.x': [-1_000_001, 1_000_001, 0.5, '1', Number.NaN],
      '0.y': [-1_000_001, 1_000_001],
      '0.z': [-1001, 1001, 0.5],
      '0.rotation': [-360, 361, 0.5],
      '0.locked': ['yes', 1],
    },
  ],
  [
    'drawings',
    'update',
    [drawingReference, {}],
    { ...drawingFields, '1.x': [1_000_001], '1.svg': ['', 5], '1.rotation': [361], '1.locked': [0] },
  ],
  ...(['find', 'remove'] as const).map((name) => ['drawings', name, [drawingReference], drawingFields] as const),
  ['drawings', 'list', [id], { '0': ids }],
  ['links', 'list', [id], { '0': ids }],
  [
    'captures',
    'start',
    [reference, nic, { fileName: 'a.pcap' }],
    { ...referenceFields, '2.fileName': [5], '2.direction': ['up'] },
  ],
  ['captures', 'remove', [id, 'a.pcap'], { '0': ids, '1': ids }],
  [
    'consoles',
    'run',
    [
      reference,
      { command: 'show ip', prompt: '>', timeoutSeconds: 1, interrupt: true, signal: new AbortController().signal },
    ],
    {
      ...referenceFields,
      '1': ['show ip', undefined],
      '1.command': [5, 'show\r', 'x'.repeat(2049)],
      '1.prompt': [5, '', ' ', '\n', 'x'.repeat(201)],
      '1.timeoutSeconds': ['1', 0, 301, Number.NaN],
      '1.interrupt': [1],
      '1.signal': [{}],
    },
  ],
  ['consoles', 'redeemTicket', [reference, 't'], { ...referenceFields, '1': ids }],
  ['host', 'programs', ['machine'], { '0': ['toaster', 5] }],
]

/** Returns a copy of the value with another value at the path. */
function withValue(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(target) ? [...target] : { ...Object(target) }
  Reflect.set(copy, step, withValue(Reflect.get(Object(target), step), rest, value))
  return copy
}

const onFault = () => undefined

const services: readonly (readonly [string, (onCall: () => void) => { close(): Promise<void> }, readonly Method[]])[] =
  [
    [
      'gateway',
      (onCall) =>
        createGateway({
          repositories: counted(memoryGatewayRepositories(), onCall),
          providers: [fakeProvider()],
          onFault,
        }),
      gatewayMethods,
    ],
    [
      'emulation',
      (onCall) =>
        createEmulation({ ...embeddedLab(), repositories: counted(memoryEmulationRepositories(), onCall), onFault }),
      emulationMethods,
    ],
    [
      'storage',
      (onCall) => createStorage({ repositories: counted(memoryStorageRepositories(), onCall), onFault }),
      storageMethods,
    ],
  ]

describe.each(services)('the services of the %s', (_name, open, methods) => {
  const cases = methods.flatMap(([service, method, values, fields]) =>
    Object.entries(fields).flatMap(([path, odd]) => odd.map((value) => ({ service, method, values, path, value }))),
  )

  it('refuse what is out of bounds, by the name of the field, before a store is called', async () => {
    let calls = 0
    const opened = open(() => {
      calls += 1
    })
    const before = calls
    fc.assert(
      fc.property(fc.constantFrom(...cases), ({ service, method, values, path, value }) => {
        const odd = withValue(values, path.split('.'), value)
        const target: unknown = Reflect.get(opened, service)
        const [, ...fields] = path.split('.')
        const subject = fields.length === 0 ? `The value that '${method}' gets` : `'${fields[0]}`
        let thrown: unknown
        try {
          Reflect.apply(Reflect.get(Object(target), method), target, Array.isArray(odd) ? odd : [])
        } catch (error) {
          thrown = error
        }
        expect(thrown).toSatisfy((error) => error instanceof TypeError || error instanceof RangeError)
        expect(String(thrown)).toContain(subject)
        expect(String(thrown)).toMatch(/\.$/)
        expect(calls).toBe(before)
      }),
      { examples: cases.map((one): [typeof one] => [one]), numRuns: cases.length },
    )
    await opened.close()
  })
})

it('calls what is undefined missing', () => {
  const gateway = createGateway({ providers: [fakeProvider()] })
  const storage = createStorage()
  const emulation = createEmulation(embeddedLab())
  expect(() => gateway.apiKeys.generate(JSON.parse('{}'))).toThrow(
    new TypeError("'username' of 'generate' is missing."),
  )
  expect(() => Reflect.apply(gateway.apiKeys.generate, undefined, [{ username: undefined }])).toThrow(
    new TypeError("'username' of 'generate' is missing."),
  )
  expect(() => Reflect.apply(gateway.apiKeys.find, undefined, [])).toThrow(
    new TypeError("The value that 'find' gets is missing."),
  )
  expect(() => storage.volumes.list(JSON.parse('{}'))).toThrow(new TypeError("'query' of 'list' is missing."))
  expect(() => Reflect.apply(emulation.projects.find, undefined, [])).toThrow(
    new TypeError("The value that 'find' gets is missing."),
  )
})

it('names the field, the bound and the method in a sentence', () => {
  const gateway = createGateway({ providers: [fakeProvider()] })
  expect(() => gateway.apiKeys.generate({ username: 'ada', rateLimit: -5 })).toThrow(
    new RangeError("'rateLimit' of 'generate' must be at least 1."),
  )
  // Programs in JavaScript pass what types refuse.
  const untyped: { readonly rateLimit?: never } = JSON.parse('{"rateLimit":"7"}')
  expect(() => gateway.apiKeys.generate({ username: 'ada', ...untyped })).toThrow(
    new TypeError(`'rateLimit' of 'generate' must be number, not "7".`),
  )
  expect(() => gateway.apiKeys.generate({ username: 'ada', ...JSON.parse('{"limit":0}') })).toThrow(
    new TypeError("'limit' of 'generate' is not known."),
  )
})

it.each<Partial<GatewayOptions>>([
  { apiKeys: { maxKeys: 0 } },
  { apiKeys: { cacheSeconds: -1 } },
  { apiKeys: { defaultRateLimit: 0 } },
  { apiKeys: { maxTeamKeys: 0 } },
  { search: { cacheEntries: 0 } },
  { search: { timeoutSeconds: Number.NaN } },
  { usage: { batchSize: 0 } },
  { usage: { flushMs: 2 ** 31 } },
  { timeouts: { totalSeconds: 0 } },
  { circuit: { failures: 0 } },
  { retries: { retries: -1 } },
  { discovery: { timeoutSeconds: Number.POSITIVE_INFINITY } },
  { chat: { maxEventBytes: 0 } },
  { images: { storeSeconds: 0 } },
  { retention: { usageDays: 0 } },
])('createGateway refuses %j', (options) => {
  expect(() => createGateway({ providers: [fakeProvider()], ...options })).toThrow(RangeError)
})

it.each<Partial<StorageOptions>>([
  { leaseSeconds: 0 },
  { jobRetentionSeconds: Number.NaN },
  { splitSliceSize: 0 },
  { splitFloor: -1 },
  { splitFloor: '101%' },
  { nodes: [{ name: 'node1', splitLoadMaximum: 1 }] },
])('createStorage refuses %j', (options) => {
  expect(() => createStorage(options)).toThrow(RangeError)
})

it.each<() => Emulation>([
  () => createEmulation({ ...embeddedLab(), consoleHub: { viewerLimit: -1 } }),
  () => createEmulation({ ...embeddedLab(), limits: { captureDays: 0 } }),
  () => createEmulation(embeddedLab({ consolePorts: { first: 3000, last: 2000 } })),
  () => createEmulation(embeddedLab({ udpPorts: { first: 0, last: 2000 } })),
])('createEmulation refuses numbers that are out of range', (create) => {
  expect(create).toThrow(RangeError)
})
