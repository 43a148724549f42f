import { beforeEach, describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'
import { Refusal } from '../../ports.ts'

const project = '11111111-1111-4111-8111-111111111111'
const absent = '99999999-9999-4999-8999-999999999999'
const id = (number: number) => `22222222-2222-4222-8222-00000000000${number}`
const nics = {
  emu1: `/v1/projects/${project}/emu1/vms/${id(1)}/adapters/0/ports/0`,
  emu2: `/v1/projects/${project}/emu2/vms/${id(2)}/adapters/0/ports/0`,
  emu3: `/v1/projects/${project}/emu3/vms/${id(3)}/adapters/0/ports/0`,
  emu4: `/v1/projects/${project}/emu4/vms/${id(4)}/adapters/0/ports/0`,
  emu5: `/v1/projects/${project}/emu5/devices/${id(5)}/ports/1`,
  container: `/v1/projects/${project}/containers/nodes/${id(6)}/adapters/0/ports/0`,
} as const
type WireKind = keyof typeof nics
const wireKinds = Object.keys(nics) as WireKind[]

const udp = (lport: number, rport = 1) => ({ type: 'nio_udp', lport, rhost: '127.0.0.1', rport })
const noImpairment = {
  delay_ms: 0,
  jitter_ms: 0,
  loss_percent: 0,
  duplication_percent: 0,
  corruption_percent: 0,
  bandwidth_bps: 0,
  queue_bytes: 0,
}
const noCounts = { frames: 0, bytes: 0, dropped: 0 }

let lab: HttpLab
let { call } = {} as HttpLab
beforeEach(async () => {
  lab = createHttpLab()
  call = lab.call
  await call('POST', '/v1/projects', { project_id: project })
  const base = `/v1/projects/${project}`
  await call('POST', `${base}/emu1/vms`, { name: 'M1', emu1_path: 'q', vm_id: id(1) })
  await call('POST', `${base}/emu2/vms`, { name: 'R1', path: '/i', vm_id: id(2) })
  await call('POST', `${base}/emu3/vms`, { name: 'PC1', vm_id: id(3) })
  await call('POST', `${base}/emu4/vms`, { name: 'V1', vmname: 'V', linked_clone: false, adapters: 1, vm_id: id(4) })
  await call('POST', `${base}/emu5/devices`, { name: 'SW1', device_id: id(5) })
  await call('POST', `${base}/containers/nodes`, { name: 'C1', image: 'frr', node_id: id(6) })
})

/** Creates the body for a NIO of each kind. */
const asBody = (kind: WireKind, nio: object, linkFields: object = {}) =>
  kind === 'emu5' ? { nio, ...linkFields } : { ...nio, ...linkFields }

it('shows the storm control of a switch port, and what it has dropped', async () => {
  const device = `/v1/projects/${project}/emu5/devices/${id(5)}`
  const storm_control = { broadcast_per_second: 100, unknown_unicast_per_second: 1 }
  const port_settings = { type: 'access', vlan: 1, storm_control }
  const made = await call('POST', `${nics.emu5}/nio`, { nio: udp(14_242), port_settings })
  expect(made.status).toBe(201)
  expect((await call('GET', device)).body).toMatchObject({ ports: [{ port: 1, ...port_settings }] })
  expect((await call('GET', `${nics.emu5}/nio`)).body).toMatchObject({
    counters: { storm_drops: { broadcast: 3, multicast: 2, unknown_unicast: 1 } },
  })
  const ports = [{ port: 1, type: 'access', vlan: 1, storm_control: null }]
  expect((await call('PUT', device, { ports })).body).toMatchObject({ ports: [{ port: 1, type: 'access', vlan: 1 }] })
  const { counters } = (await call('GET', `${nics.emu5}/nio`)).body as { counters: object }
  expect(Object.keys(counters)).toEqual(['outgoing', 'incoming'])
})

it.each([
  [{ broadcast_per_second: 0 }, '0 is less than the minimum of 1', 'broadcast_per_second'],
  [{ multicast_per_second: 10_000_001 }, '10000001 is greater than the maximum of 10000000', 'multicast_per_second'],
  [{ broadcast: 1 }, "Additional properties are not allowed ('broadcast' was unexpected)", 'broadcast'],
])('refuses the storm control %j', async (storm_control, message, field) => {
  const ports = [{ port: 1, type: 'access', vlan: 1, storm_control }]
  const refused = await call('PUT', `/v1/projects/${project}/emu5/devices/${id(5)}`, { ports })
  expect(refused.body).toEqual({
    message: `Invalid JSON: ${message} in field 'ports.0.storm_control.${field}'.`,
    status: 400,
  })
})

describe('a capture', () => {
  const path = nics.emu3
  const named = { capture_file_name: 'a.pcap', filter: 'arp' }

  it('returns 409 for a filter where the server compiles none, and leaves nothing', async () => {
    await call('POST', `${path}/nio`, udp(14_242))
    const message = 'This server compiles no filters of captures.'
    expect((await call('POST', `${path}/start_capture`, named)).body).toEqual({ message, status: 409 })
    expect((await call('GET', `${path}/capture/stream?filter=arp`)).status).toBe(409)
    expect((await call('GET', `/v1/projects/${project}/captures`)).body).toEqual([])
    expect((await call('POST', `${path}/start_capture`, { ...named, filter: 'a'.repeat(1025) })).status).toBe(400)
    expect((await call('POST', `${path}/start_capture`, { ...named, filter: 'a\nb' })).status).toBe(400)
  })

  it('compiles a filter for the data link type, and shows it', async () => {
    const compiled: string[] = []
    const compile = async (expression: string, type: string) => {
      compiled.push(`${expression} ${type}`)
      if (expression === 'arp') return [{ code: 6, jt: 0, jf: 0, k: 1 }]
      throw new Refusal('not-allowed', 'The filter cannot be used: syntax error.')
    }
    lab = createHttpLab({}, { captureFilters: { compile } })
    call = lab.call
    await call('POST', '/v1/projects', { project_id: project })
    await call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', vm_id: id(3) })
    await call('POST', `${path}/nio`, udp(14_242))
    const wrong = await call('POST', `${path}/start_capture`, { ...named, filter: 'ar p' })
    expect(wrong.body).toEqual({ message: 'The filter cannot be used: syntax error.', status: 409 })
    expect((await call('POST', `${path}/start_capture`, named)).status).toBe(200)
    expect(compiled).toEqual(['ar p DLT_EN10MB', 'arp DLT_EN10MB'])
    expect((await call('GET', `${path}/nio`)).body).toMatchObject({ capture: { filter: 'arp' } })
  })

  it('refuses more capture files of a project than the host allows', async () => {
    lab = createHttpLab({}, { limits: { captureFilesOfAProject: 1 } })
    call = lab.call
    await call('POST', '/v1/projects', { project_id: project })
    await call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', vm_id: id(3) })
    await call('POST', `${path}/nio`, udp(14_242))
    const capture = async (capture_file_name: string) => {
      const { status } = await call('POST', `${path}/start_capture`, { capture_file_name })
      await call('POST', `${path}/stop_capture`)
      return status
    }
    expect([await capture('a.pcap'), await capture('a.pcap'), await capture('b.pcap')]).toEqual([200, 200, 409])
  })
})

describe.each(wireKinds)('the NIO interface of %s', (kind) => {
  const path = `${nics[kind]}/nio`

  it('creates, reads, changes and deletes a NIO', async () => {
    const nio = udp(14_242, 14_343)
    const made = await call('POST', path, asBody(kind, nio))
    expect([made.status, made.body]).toEqual([201, nio])
    expect(made.headers.get('x-route')).toMatch(/ports\/\{port_number\}\/nio$/)
    const found = await call('GET', path)
    expect([found.status, found.body]).toEqual([
      200,
      {
        nio,
        impairments: { outgoing: noImpairment, incoming: noImpairment },
        link_up: true,
        capture: null,
        counters: { outgoing: noCounts, incoming: noCounts },
      },
    ])
    const worse = await call('PUT', path, {
      impairments: { outgoing: { delay_ms: 10, loss_percent: 0.5 } },
      link_up: false,
    })
    expect([worse.status, worse.body]).toMatchObject([
      200,
      {
        impairments: { outgoing: { ...noImpairment, delay_ms: 10, loss_percent: 0.5 }, incoming: noImpairment },
        link_up: false,
      },
    ])
    const up = await call('PUT', path, { link_up: true })
    expect(up.body).toMatchObject({ impairments: { outgoing: { delay_ms: 10 } }, link_up: true })
    expect((await call('PUT', path)).body).toEqual(up.body)
    const deleted = await call('DELETE', path)
    expect([deleted.status, deleted.body]).toEqual([204, undefined])
    for (const method of ['GET', 'PUT']) expect((await call(method, path)).status).toBe(409)
  })

  it('creates a NIO with impairments and link state in one request', async () => {
    const linkFields = { impairments: { incoming: { bandwidth_bps: 1_000_000, queue_bytes: 3000 } }, link_up: false }
    const made = await call('POST', path, asBody(kind, udp(14_242), linkFields))
    expect(made.status).toBe(201)
    expect((await call('GET', path)).body).toMatchObject({
      impairments: { incoming: { bandwidth_bps: 1_000_000, queue_bytes: 3000 }, outgoing: noImpairment },
      link_up: false,
    })
  })

  it.each([
    {},
    { type: 'nio_udp' },
    { type: 'nio_udp', lport: 0, rhost: 'h', rport: 1 },
    { type: 'nio_udp', lport: 1, rhost: 'h', rport: 65_536 },
    { type: 'nio_udp', lport: 1, rhost: '', rport: 1 },
    { type: 'nio_udp', lport: '1', rhost: 'h', rport: 1 },
    { type: 'nio_udp', lport: 1, rhost: 'h', rport: 1, extra: true },
    { type: 'nio_nat' },
    { type: 'nio_tap' },
    { type: 5 },
  ])('refuses the NIO %j', async (nio) => {
    const refused = await call('POST', path, asBody(kind, nio))
    expect(refused.body).toEqual({ message: expect.stringMatching(/^Invalid JSON: /), status: 400 })
    expect((await call('GET', path)).status).toBe(409)
  })

  it.each([
    { impairments: { outgoing: { delay_ms: -1 } } },
    { impairments: { outgoing: { delay_ms: 60_001 } } },
    { impairments: { incoming: { loss_percent: 100.1 } } },
    { impairments: { incoming: { bandwidth_bps: 1.5 } } },
    { impairments: { incoming: { speed: 1 } } },
    { impairments: { sideways: {} } },
    { impairments: [] },
    { link_up: 'yes' },
    { foo: 1 },
  ])('refuses %j with a NIO', async (linkFields) => {
    expect((await call('POST', path, asBody(kind, udp(14_242), linkFields))).status).toBe(400)
    await call('POST', path, asBody(kind, udp(14_242)))
    expect((await call('PUT', path, linkFields)).status).toBe(400)
    expect((await call('GET', path)).body).toMatchObject({ impairments: { outgoing: noImpairment }, link_up: true })
  })

  it('returns 404 for absent ids, 400 for invalid ones and 409 for absent ports', async () => {
    for (const [method, body] of [['POST', asBody(kind, udp(14_242))], ['GET'], ['PUT'], ['DELETE']] as const) {
      const absentPath = path.replace(/22222222-[^/]*/, absent)
      expect((await call(method, absentPath, body)).status).toBe(404)
      expect((await call(method, path.replace(/22222222-[^/]*/, 'nope'), body)).status).toBe(400)
      expect((await call(method, path.replace(project, absent), body)).status).toBe(404)
      expect((await call(method, path.replace(/ports\/\d+/, 'ports/x'), body)).status).toBe(400)
      expect((await call(method, path.replace(/ports\/\d+/, 'ports/65536'), body)).status).toBe(409)
    }
  })

  it('refuses a host that does not resolve and a port that is taken', async () => {
    const unknown = await call('POST', path, asBody(kind, { ...udp(14_242), rhost: 'nowhere.invalid' }))
    expect([unknown.status, unknown.body]).toEqual([
      409,
      { message: "The host 'nowhere.invalid' could not be found.", status: 409 },
    ])
    const holder = kind === 'emu1' ? 'emu2' : 'emu1'
    await call('POST', `${nics[holder]}/nio`, udp(14_242))
    const taken = await call('POST', path, asBody(kind, udp(14_242)))
    expect([taken.status, taken.body]).toEqual([
      409,
      { message: 'UDP port 14242 already in use on host.', status: 409 },
    ])
  })
})

describe('the NIO interface', () => {
  it('returns 400 for a type that the kind does not support', async () => {
    const refused = await call('POST', `${nics.emu1}/nio`, { type: 'nio_tap', tap_device: 'tap0' })
    expect(refused.body).toEqual({ message: "NIO type 'tap' is not supported by emu1.", status: 400 })
    expect((await call('POST', `${nics.emu4}/nio`, { type: 'nio_null' })).status).toBe(400)
  })

  it('returns 409 for a type that the relay does not support', async () => {
    const tap = await call('POST', `${nics.emu3}/nio`, { type: 'nio_tap', tap_device: 'tap0' })
    expect([tap.status, tap.body]).toEqual([409, { message: 'No tap here.', status: 409 }])
  })

  it('accepts types with and without the prefix `nio_`', async () => {
    const nio = { type: 'udp', lport: 14_242, rhost: 'localhost', rport: 5 }
    expect((await call('POST', `${nics.emu3}/nio`, nio)).body).toEqual(nio)
    expect((await call('GET', `${nics.emu3}/nio`)).body).toMatchObject({ nio: { ...nio, type: 'nio_udp' } })
  })

  it('returns 409 for adapters and ports that do not exist', async () => {
    const path = nics.emu1.replace('adapters/0', 'adapters/7')
    expect((await call('POST', `${path}/nio`, udp(14_242))).body).toEqual({
      message: "Adapter 7 doesn't exist on emu1 VM 'M1'.",
      status: 409,
    })
    const port = nics.emu2.replace('ports/0', 'ports/9')
    expect((await call('POST', `${port}/nio`, udp(14_242))).body).toEqual({
      message: "Port 9 doesn't exist in adapter 0 of emu2 VM 'R1'.",
      status: 409,
    })
  })

  it('sets the VLAN of a switch port, and refuses to replace its NIO', async () => {
    const device = `/v1/projects/${project}/emu5/devices/${id(5)}`
    const body = { nio: udp(14_242), port_settings: { type: 'dot1q', vlan: 4094 }, mappings: {} }
    expect((await call('POST', `${nics.emu5}/nio`, body)).status).toBe(201)
    expect((await call('GET', device)).body).toMatchObject({ ports: [{ port: 1, type: 'dot1q', vlan: 4094 }] })
    const again = await call('POST', `${nics.emu5}/nio`, { nio: udp(14_243) })
    expect([again.status, again.body]).toEqual([409, { message: "Port 1 isn't free.", status: 409 }])
    for (const vlan of [0, 4095]) {
      const settings = { nio: udp(14_244), port_settings: { type: 'access', vlan } }
      expect((await call('POST', `${device}/ports/2/nio`, settings)).status).toBe(400)
    }
    expect((await call('DELETE', `${nics.emu5}/nio`)).status).toBe(204)
    expect((await call('GET', device)).body).toMatchObject({ ports: [] })
    expect((await call('GET', `${nics.emu5}/nio`)).body).toEqual({ message: 'Port 1 is not allocated.', status: 409 })
  })

  it.each(Object.entries(nics))('answers a second deletion of the NIO of %s with 204', async (_, nic) => {
    const nio = udp(14_250)
    expect((await call('POST', `${nic}/nio`, nic === nics.emu5 ? { nio } : nio)).status).toBe(201)
    for (const _attempt of [1, 2]) expect((await call('DELETE', `${nic}/nio`)).status).toBe(204)
    expect((await call('GET', `${nic}/nio`)).status).toBe(409)
  })

  it('shows each port that is cabled or set, by number, and forgets a port with its NIO', async () => {
    const device = `/v1/projects/${project}/emu5/devices/${id(5)}`
    const shown = async () => (await call('GET', device)).body
    await call('POST', `${device}/ports/4/nio`, { nio: udp(14_251) })
    await call('PUT', device, { ports: [{ port: 2, type: 'qinq', vlan: 9 }] })
    const ports = [
      { port: 2, type: 'qinq', vlan: 9 },
      { port: 4, type: 'access', vlan: 1 },
    ]
    expect(await shown()).toMatchObject({ ports })
    expect((await call('DELETE', `${device}/ports/2/nio`)).status).toBe(204)
    expect(await shown()).toMatchObject({ ports: ports.slice(1) })
    expect((await call('DELETE', `${device}/ports/4/nio`)).status).toBe(204)
    expect(await shown()).toMatchObject({ ports: [] })
  })

  it('leaves cabled ports that a change of other ports does not name', async () => {
    const device = `/v1/projects/${project}/emu5/devices/${id(5)}`
    const trunk = { type: 'dot1q', vlan: 10 }
    await call('POST', `${nics.emu5}/nio`, { nio: udp(14_252), port_settings: trunk })
    const changed = await call('PUT', device, { ports: [{ port: 7, type: 'access', vlan: 20 }] })
    expect(changed.body).toMatchObject({
      ports: [
        { port: 1, ...trunk },
        { port: 7, type: 'access', vlan: 20 },
      ],
    })
    const ports = [{ port: 1, type: 'access', vlan: 11 }]
    expect((await call('PUT', device, { ports })).body).toMatchObject({ ports: [...ports, { port: 7 }] })
  })

  it('loses no port where two clients change different ports of a switch at the same time', async () => {
    const device = `/v1/projects/${project}/emu5/devices/${id(5)}`
    const ports = Array.from({ length: 20 }, (_none, index) => ({ port: index + 1, type: 'access', vlan: index + 1 }))
    await Promise.all(ports.map((port) => call('PUT', device, { ports: [port] })))
    expect((await call('GET', device)).body).toMatchObject({ ports })
  })
})

describe('the interface of links', () => {
  it('lists links with their ends', async () => {
    await call('POST', `${nics.emu3}/nio`, udp(10_000, 10_001))
    await call('POST', `${nics.emu5}/nio`, { nio: udp(10_001, 10_000) })
    await call('POST', `${nics.emu1}/nio`, { ...udp(10_002, 5), rhost: 'elsewhere.example' })
    const { body } = await call('GET', `/v1/projects/${project}/links`)
    expect(body).toEqual([
      {
        link_id: expect.any(String),
        ends: [expect.objectContaining({ kind: 'emu1', id: id(1), name: 'M1', adapter_number: 0, port_number: 0 })],
      },
      {
        link_id: expect.any(String),
        ends: [
          {
            kind: 'emu3',
            id: id(3),
            name: 'PC1',
            adapter_number: 0,
            port_number: 0,
            nio: udp(10_000, 10_001),
            impairments: { outgoing: noImpairment, incoming: noImpairment },
            link_up: true,
            capture: null,
            counters: { outgoing: noCounts, incoming: noCounts },
          },
          expect.objectContaining({ kind: 'emu5', id: id(5), port_number: 1 }),
        ],
      },
    ])
  })
})

describe('the interface of switches', () => {
  it('returns and clears the learned addresses', async () => {
    const path = `/v1/projects/${project}/emu5/devices/${id(5)}/mac_table`
    const found = await call('GET', path)
    expect([found.status, found.body]).toEqual([200, [{ mac: '00:50:79:66:68:00', vlan: 1, port: 1 }]])
    expect((await call('DELETE', path)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, path.replace(id(5), absent))).status).toBe(404)
      expect((await call(method, path.replace(id(5), 'x'))).status).toBe(400)
    }
  })
})

describe.each(wireKinds)('the capture interface of %s', (kind) => {
  const nic = nics[kind]
  const capture = { capture_file_name: 'test.pcap', data_link_type: 'DLT_EN10MB' }
  const captures = `/v1/projects/${project}/captures`
  const connect = () => call('POST', `${nic}/nio`, asBody(kind, udp(10_000)))

  it('starts, stops, lists, reads and deletes a capture', async () => {
    await connect()
    const started = await call('POST', `${nic}/start_capture`, capture)
    expect([started.status, started.body]).toEqual([
      200,
      { pcap_file_path: `/projects/${project}/project-files/captures/test.pcap` },
    ])
    const adapter = 0
    const port = kind === 'emu5' ? 1 : 0
    expect((await call('POST', `${nic}/start_capture`, { ...capture, capture_file_name: 'b' })).body).toEqual({
      message: `Packet capture is already activated on ${adapter}/${port}.`,
      status: 409,
    })
    expect((await call('GET', `${nic}/nio`)).body).toMatchObject({ capture: { ...capture, direction: 'both' } })
    expect((await call('DELETE', `${captures}/test.pcap`)).status).toBe(409)
    expect((await call('POST', `${nic}/stop_capture`)).status).toBe(204)
    expect((await call('POST', `${nic}/stop_capture`)).status).toBe(409)
    expect((await call('GET', captures)).body).toEqual([
      { capture_file_name: 'test.pcap', bytes: 4, modified_at: expect.stringMatching(/Z$/), active: false },
    ])
    const file = await lab.request('GET', `${captures}/test.pcap`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/vnd.tcpdump.pcap'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1))
    expect((await call('DELETE', `${captures}/test.pcap`)).status).toBe(204)
    expect((await call('GET', `${captures}/test.pcap`)).status).toBe(404)
    expect((await call('DELETE', `${captures}/test.pcap`)).status).toBe(404)
  })

  it.each([
    '',
    '..',
    '../../x',
    'a/b',
    '/etc/passwd',
    'a\\b',
    'nul\0',
    'x'.repeat(256),
    5,
  ])('refuses the file name %j', async (name) => {
    await connect()
    expect((await call('POST', `${nic}/start_capture`, { ...capture, capture_file_name: name })).status).toBe(400)
    expect((await call('GET', captures)).body).toEqual([])
  })

  it('refuses other link types', async () => {
    await connect()
    for (const data_link_type of ['DLT_C_HDLC', 'DLT_MADE_UP', 'constructor']) {
      expect((await call('POST', `${nic}/start_capture`, { ...capture, data_link_type })).status).toBe(409)
    }
    expect((await call('POST', `${nic}/start_capture`, { ...capture, data_link_type: '' })).status).toBe(400)
    expect((await call('POST', `${nic}/start_capture`, { ...capture, data_link_type: 'en10mb' })).status).toBe(200)
  })

  it('requires the data link type on emu2 and emu5 only', async () => {
    await connect()
    const { status, body } = await call('POST', `${nic}/start_capture`, { capture_file_name: 'a' })
    if (kind === 'emu2' || kind === 'emu5')
      expect(body).toEqual({
        message: "Invalid JSON: 'data_link_type' is a required property in field 'data_link_type'.",
        status: 400,
      })
    else expect(status).toBe(200)
  })

  it('starts a capture before a NIO exists, except on a switch', async () => {
    const { status } = await call('POST', `${nic}/start_capture`, capture)
    expect(status).toBe(kind === 'emu5' ? 409 : 200)
    if (kind === 'emu5') return
    expect((await call('GET', `${nic}/nio`)).status).toBe(409)
    await connect()
    expect((await call('GET', `${nic}/nio`)).body).toMatchObject({ capture })
  })

  it('streams a capture', async () => {
    await connect()
    const controller = new AbortController()
    const answer = await lab.request('GET', `${nic}/capture/stream?direction=both`, { signal: controller.signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.tcpdump.pcap'])
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.value).toEqual(Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1))
    await reader?.cancel()
    expect((await call('GET', `${nic}/capture/stream?direction=up`)).status).toBe(400)
  })

  it('returns 404 for absent ids, 400 for invalid ones and 409 for absent ports', async () => {
    for (const [method, action, body] of [
      ['POST', 'start_capture', capture],
      ['POST', 'stop_capture'],
      ['GET', 'capture/stream'],
    ] as const) {
      expect((await call(method, `${nic.replace(/22222222-[^/]*/, absent)}/${action}`, body)).status).toBe(404)
      expect((await call(method, `${nic.replace(/22222222-[^/]*/, 'x')}/${action}`, body)).status).toBe(400)
      expect((await call(method, `${nic.replace(project, absent)}/${action}`, body)).status).toBe(404)
      expect((await call(method, `${nic.replace(/ports\/\d+/, 'ports/70000')}/${action}`, body)).status).toBe(409)
    }
  })
})

describe('the interface of capture files', () => {
  it.each(['..%2f..%2fetc%2fpasswd', '..%5cx', 'a%00b'])('refuses the file name %s', async (name) => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await call(method, `/v1/projects/${project}/captures/${name}`)
      expect([status, body]).toMatchObject([400, { status: 400 }])
    }
    expect((await call('GET', `/v1/projects/${project}/captures/a.pcap?follow=maybe`)).status).toBe(400)
  })

  it('ends a streamed capture and a followed file when the host stops', async () => {
    await call('POST', `${nics.emu3}/nio`, udp(10_005))
    expect((await call('POST', `${nics.emu3}/start_capture`, { capture_file_name: 'a.pcap' })).status).toBe(200)
    const paths = [`${nics.emu3}/capture/stream`, `/v1/projects/${project}/captures/a.pcap?follow=true`]
    const readers = await Promise.all(paths.map(async (path) => (await lab.request('GET', path)).body?.getReader()))
    // The file is empty until it is written, so only the stream has a first piece.
    await readers[0]?.read()
    const ends = readers.map(async (reader) => {
      while (!(await reader?.read())?.done);
    })
    await Promise.all([...ends, lab.stop()])
  })

  it('captures a serial port with its link type and direction', async () => {
    const serial = nics.emu2.replace('adapters/0', 'adapters/2')
    await call('POST', `${serial}/nio`, udp(10_005))
    const capture = { capture_file_name: 's.pcap', data_link_type: 'DLT_PPP_SERIAL', direction: 'incoming' }
    expect((await call('POST', `${serial}/start_capture`, capture)).status).toBe(200)
    expect(lab.relay.cables.get(`${id(2)}/2/0`)?.capture).toMatchObject({ linkType: 50, direction: 'incoming' })
  })
})
