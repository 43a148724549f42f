import { beforeEach, describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'

const project = '11111111-1111-4111-8111-111111111111'
const other = '33333333-3333-4333-8333-333333333333'
const id = '22222222-2222-4222-8222-222222222222'
const absent = '99999999-9999-4999-8999-999999999999'

const emu1 = {
  acpi_shutdown: false,
  adapter_type: 'e1000',
  adapters: 1,
  bios_image: '',
  boot_priority: 'c',
  cdrom_image: '',
  console: 2000,
  console_type: 'telnet',
  cpu_throttling: 0,
  cpus: 1,
  custom_adapters: [],
  emu1_path: '/usr/bin/qemu-system-x86_64',
  hda_disk_image: '',
  hda_disk_interface: 'ide',
  hdb_disk_image: '',
  hdb_disk_interface: 'ide',
  hdc_disk_image: '',
  hdc_disk_interface: 'ide',
  hdd_disk_image: '',
  hdd_disk_interface: 'ide',
  initrd: '',
  kernel_command_line: '',
  kernel_image: '',
  legacy_networking: false,
  mac_address: expect.stringMatching(/^0e(:[0-9a-f]{2}){4}:00$/),
  maxcpus: 1,
  monitor: 2001,
  name: 'PC TEST 1',
  on_close: 'power_off',
  options: '',
  process_priority: 'low',
  project_id: project,
  ram: 256,
  serial_ports: 1,
  uefi: false,
  usage: '',
  vm_id: id,
}
const emu2 = {
  console: 2000,
  ethernet_adapters: 2,
  initial_config: null,
  l1_keepalives: false,
  name: 'PC TEST 1',
  nvram: 128,
  path: '/images/iou.bin',
  project_id: project,
  ram: 256,
  serial_adapters: 2,
  vm_id: id,
}
const emu3 = {
  console: 2000,
  name: 'PC TEST 1',
  project_id: project,
  startup_script: null,
  startup_script_path: null,
  vm_id: id,
}
const emu4 = {
  adapter_type: 'Intel PRO/1000 MT Desktop (82540EM)',
  adapters: 0,
  console: 2000,
  enable_remote_console: false,
  headless: false,
  name: 'PC TEST 1',
  project_id: project,
  use_any_adapter: false,
  vm_id: id,
  vmname: 'VM1',
}
const emu5 = {
  device_id: id,
  device_type: 'ethernet_switch',
  mac_ageing_seconds: 300,
  name: 'PC TEST 1',
  ports: [],
  project_id: project,
}
const nat = { name: 'PC TEST 1', node_id: id, project_id: project }
const cloud = { name: 'PC TEST 1', node_id: id, ports: [], project_id: project }
const container = {
  adapters: 1,
  console: 2000,
  console_command: '/bin/sh',
  console_type: 'telnet',
  cpus: 1,
  environment: [],
  image: 'localhost/frr:10',
  memory: 256,
  name: 'PC TEST 1',
  node_id: id,
  project_id: project,
  start_command: '',
  startup_config: null,
  startup_config_path: '',
  volumes: [],
}

/** For each kind: its path, the required fields, the created instance, and the fields of an update. */
const kinds = [
  {
    kind: 'emu1',
    base: 'emu1/vms',
    least: { name: 'PC TEST 1', emu1_path: '/usr/bin/qemu-system-x86_64' },
    made: emu1,
    change: { name: 'test', console: 2002, ram: 512, hdb_disk_image: '/images/hdb', process_priority: 'very high' },
  },
  {
    kind: 'emu2',
    base: 'emu2/vms',
    least: { name: 'PC TEST 1', path: '/images/iou.bin' },
    made: emu2,
    change: {
      name: 'test',
      console: 2002,
      ethernet_adapters: 4,
      serial_adapters: 0,
      ram: 512,
      nvram: 2048,
      l1_keepalives: true,
    },
  },
  {
    kind: 'emu3',
    base: 'emu3/vms',
    least: { name: 'PC TEST 1' },
    made: emu3,
    change: { name: 'test', console: 2002 },
  },
  {
    kind: 'emu4',
    base: 'emu4/vms',
    least: { name: 'PC TEST 1', vmname: 'VM1', linked_clone: false },
    made: emu4,
    change: { name: 'test', console: 2002, vmname: 'VM2', headless: true, adapters: 36 },
  },
  {
    kind: 'emu5',
    base: 'emu5/devices',
    least: { name: 'PC TEST 1', device_type: 'ethernet_switch' },
    made: emu5,
    change: {
      name: 'test',
      mac_ageing_seconds: 10,
      ports: [
        { port: 1, type: 'access', vlan: 1 },
        { port: 2, type: 'dot1q', vlan: 4094 },
        { port: 3, type: 'qinq', vlan: 100 },
      ],
    },
  },
  { kind: 'nat', base: 'nat/nodes', least: { name: 'PC TEST 1' }, made: nat, change: { name: 'test' } },
  {
    kind: 'cloud',
    base: 'cloud/nodes',
    least: { name: 'PC TEST 1' },
    made: cloud,
    change: {
      name: 'test',
      ports: [
        { device: 'tap0', port: 0 },
        { device: 'br-lab.1', port: 31 },
      ],
    },
  },
  {
    kind: 'container',
    base: 'containers/nodes',
    least: { name: 'PC TEST 1', image: 'localhost/frr:10' },
    made: container,
    change: {
      name: 'test',
      image: 'localhost/frr:11',
      console: 2002,
      console_type: 'none',
      console_command: 'vtysh -n 1',
      start_command: "/bin/sh -c 'exec sleep 9'",
      environment: ['LANG=C', 'EMPTY='],
      adapters: 32,
      memory: 64,
      cpus: 0.25,
      volumes: ['/srv/frr', '/var/lib/a-b_c.d'],
      startup_config: 'hostname R1\n',
      startup_config_path: '/srv/frr/frr.conf',
    },
  },
] as const

const names: Readonly<Record<string, { readonly idField: string; readonly noun: string }>> = {
  emu5: { idField: 'device_id', noun: 'Device' },
  nat: { idField: 'node_id', noun: 'Node' },
  cloud: { idField: 'node_id', noun: 'Node' },
  container: { idField: 'node_id', noun: 'Node' },
}

describe.each(kinds)('the interface of $kind', ({ kind, base, least, made, change }) => {
  const collection = `/v1/projects/${project}/${base}`
  const one = `${collection}/${id}`
  const { idField, noun } = names[kind] ?? { idField: 'vm_id', noun: 'VM' }
  const template = `/v1/projects/{project_id}/${base}/{${idField}}`
  let lab: HttpLab
  let { call } = {} as HttpLab
  beforeEach(async () => {
    lab = createHttpLab()
    call = lab.call
    await call('POST', '/v1/projects', { project_id: project })
    await call('POST', '/v1/projects', { project_id: other })
  })
  const create = (body: object = {}) => call('POST', collection, { ...least, [idField]: id, ...body })

  it('creates an instance with its defaults and exactly these fields', async () => {
    const answer = await create()
    expect([answer.status, answer.body]).toEqual([201, made])
    expect(answer.headers.get('x-route')).toBe(`/v1/projects/{project_id}/${base}`)
    const generated = await call('POST', collection.replace('/v1', ''), least)
    expect(generated.status).toBe(201)
    expect(generated.body).toMatchObject({ [idField]: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  it('accepts null for defaults and unchanged fields', async () => {
    const fields = Object.keys(made).filter(
      (name) => !(name in least) && !['project_id', 'initial_config', 'startup_script_path', idField].includes(name),
    )
    const answer = await create(Object.fromEntries(fields.map((name) => [name, null])))
    expect([answer.status, answer.body]).toEqual([201, made])
    const unchanged = await call('PUT', one, Object.fromEntries([...fields, 'name'].map((name) => [name, null])))
    expect([unchanged.status, unchanged.body]).toEqual([200, made])
    expect((await call('PUT', one)).body).toEqual(made)
  })

  it('returns the existing instance when the id exists', async () => {
    await create()
    const again = await create({ name: 'something else' })
    expect([again.status, again.body]).toEqual([201, made])
    expect((await call('GET', collection)).body).toHaveLength(1)
  })

  it('makes an id for a number of an old topology, the same each time except for switches', async () => {
    // The original has no nodes.
    if (idField === 'node_id') return
    const made = await create({ [idField]: 7 })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      [idField]: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab]/),
    })
    const again = await create({ [idField]: 7 })
    if (kind === 'emu5') expect(again.body).not.toMatchObject({ [idField]: Object(made.body)[idField] })
    else expect(again.body).toEqual(made.body)
    expect((await create({ [idField]: 8 })).body).not.toMatchObject({ [idField]: Object(made.body)[idField] })
    const elsewhere = await call('POST', collection.replace(project, other), { ...least, [idField]: 7 })
    expect(elsewhere.status).toBe(201)
    for (const wrong of [-1, 1.5, 2 ** 31, true, 'zz'])
      expect((await create({ [idField]: wrong })).status, String(wrong)).toBe(400)
  })

  it('reads, lists, updates and deletes an instance', async () => {
    await create()
    const found = await call('GET', one)
    expect([found.status, found.body, found.headers.get('x-route')]).toEqual([200, made, template])
    const changed = await call('PUT', one, change)
    expect([changed.status, changed.body]).toEqual([200, { ...made, ...change }])
    expect((await call('GET', one.replace('/v1', ''))).body).toEqual({ ...made, ...change })
    expect((await call('GET', collection)).body).toEqual([{ ...made, ...change }])
    const deleted = await call('DELETE', one)
    expect([deleted.status, deleted.body, deleted.headers.get('x-route')]).toEqual([204, undefined, template])
    expect((await call('GET', collection)).body).toEqual([])
    const deletedInstance = await call('GET', one)
    expect([deletedInstance.status, deletedInstance.body]).toEqual([
      404,
      { message: `${noun} ID ${id} doesn't exist.`, status: 404 },
    ])
  })

  it.each(['GET', 'PUT', 'DELETE'])('returns 404 to %s for absent ids, and 400 for invalid ones', async (method) => {
    await create()
    const path = `/v1/projects/${project}/${base}`
    expect((await call(method, `${path}/${absent}`)).body).toEqual({
      message: `${noun} ID ${absent} doesn't exist.`,
      status: 404,
    })
    expect((await call(method, `${path}/nope`)).body).toEqual({
      message: `${noun} ID nope is not a valid UUID.`,
      status: 400,
    })
    expect((await call(method, `/v1/projects/${absent}/${base}/${id}`)).body).toEqual({
      message: `Project ID ${absent} doesn't exist.`,
      status: 404,
    })
    expect((await call(method, `/v1/projects/${other}/${base}/${id}`)).body).toEqual({
      message: `Project ID ${other} doesn't belong to VM PC TEST 1.`,
      status: 404,
    })
    expect((await call('GET', one)).body).toEqual(made)
  })

  it('returns 404 for an absent project, and 400 for an invalid project id', async () => {
    expect((await call('POST', `/v1/projects/${absent}/${base}`, least)).status).toBe(404)
    expect((await call('POST', `/v1/projects/nope/${base}`, least)).status).toBe(400)
    expect((await call('GET', `/v1/projects/${absent}/${base}`)).status).toBe(404)
    expect((await call('GET', `/v1/projects/nope/${base}`)).status).toBe(400)
  })

  it.each([
    ['{"name":', /^Invalid JSON: /],
    ['[]', /^Invalid JSON: '\[\]' is not of type 'object'/],
    [{ foo: 1 }, /'foo' was unexpected/],
    [{ name: '' }, "Invalid JSON: '' is too short in field 'name'."],
    [{ name: 7 }, "Invalid JSON: 7 is not of type 'string' in field 'name'."],
    [{ name: '../../x' }, "Invalid JSON: '../../x' is not a plain name in field 'name'."],
    [{ name: '..' }, /is not a plain name/],
    [{ name: 'a\nb' }, /is not a plain name/],
    [{ name: 'x'.repeat(256) }, /is too long in field 'name'/],
    [{ [idField]: 'zz' }, `Invalid JSON: ${noun} ID zz is not a valid UUID in field '${idField}'.`],
    [
      { [idField]: -5 },
      idField === 'node_id'
        ? `Invalid JSON: -5 is not of type 'string' in field '${idField}'.`
        : `Invalid JSON: -5 is less than the minimum of 0 in field '${idField}'.`,
    ],
    [{ [idField]: true }, `Invalid JSON: True is not of type 'string' in field '${idField}'.`],
    [{ project_id: project }, /'project_id' was unexpected/],
  ])('refuses %j', async (body, message) => {
    const sent = typeof body === 'string' ? body : { ...least, ...body }
    const refused = await call('POST', collection, sent)
    expect(refused.body).toEqual({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      status: 400,
    })
    expect((await call('GET', collection)).body).toEqual([])
    expect(await lab.ports.allocate('console')).toBe(2000)
    if (kind !== 'emu5') lab.ports.release('console', 2000)
    await create()
    const update = await call('PUT', one, typeof body === 'string' ? body : { ...change, ...body })
    expect(update.status).toBe(400)
    expect((await call('GET', one)).body).toMatchObject({ name: 'PC TEST 1' })
  })

  it('refuses numbers that are out of range or not integers', async () => {
    if (kind === 'emu5') return
    for (const number of ['1e400', '-1e400', '1e-400']) {
      const refused = await call('POST', collection, `{"name":"x","console":${number},"path":"/i","emu1_path":"q"}`)
      expect(refused.status).toBe(400)
    }
  })

  it('refuses to change the id', async () => {
    await create()
    expect((await call('PUT', one, { [idField]: absent })).status).toBe(400)
  })

  it('refuses an instance without its required fields', async () => {
    const required = Object.keys(least).filter((name) => name !== 'device_type')
    for (const name of required) {
      const { [name]: _left, ...rest } = { ...least } as Record<string, unknown>
      const refused = await call('POST', collection, rest)
      expect(refused.body).toEqual({
        message: `Invalid JSON: '${name}' is a required property in field '${name}'.`,
        status: 400,
      })
      const withNull = await call('POST', collection, { ...least, [name]: null })
      expect(withNull.status).toBe(400)
    }
    const empty = await call('POST', collection)
    expect(empty.body).toEqual({ message: `Invalid JSON: '${required[0]}' is a required property.`, status: 400 })
  })

  it('returns the status of an instance', async () => {
    await create()
    expect((await call('GET', `${one}/status`)).body).toEqual({ status: kind === 'emu5' ? 'started' : 'stopped' })
    expect((await call('GET', `${collection}/${absent}/status`)).status).toBe(404)
  })
})

describe.each(kinds.filter(({ made }) => 'console' in made))('the interface of $kind', ({ kind, base, least }) => {
  it('returns 409 for a console port that is taken', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/${base}`
    const { idField } = names[kind] ?? { idField: 'vm_id' }
    await call('POST', collection, { ...least, [idField]: id })
    const taken = await call('POST', collection, { ...least, console: 2000 })
    expect([taken.status, taken.body]).toEqual([409, { message: 'TCP port 2000 already in use on host.', status: 409 }])
    await call('POST', collection, { ...least, console: 3000 })
    const clash = await call('PUT', `${collection}/${id}`, { console: 3000 })
    expect([clash.status, clash.body]).toEqual([409, { message: 'TCP port 3000 already in use on host.', status: 409 }])
    expect((await call('PUT', `${collection}/${id}`, { console: 22 })).status).toBe(409)
    for (const console of [0, -1, 65_536, 1.5, '2000', true]) {
      expect((await call('POST', collection, { ...least, console })).status).toBe(400)
      expect((await call('PUT', `${collection}/${id}`, { console })).status).toBe(400)
    }
  })
})

describe('a cloud', () => {
  it.each([
    [[{ port: 32, device: 'tap0' }], /32 is greater than the maximum of 31/],
    [[{ port: 0, device: '' }], /is too short/],
    [[{ port: 0, device: '-help' }], /'-help' is not the name of a network device/],
    [[{ port: 0, device: '../x' }], /is not the name of a network device/],
    [[{ port: 0, device: 'tap0,fd=3' }], /is not the name of a network device/],
    [[{ port: 0, device: 'longer-than-15-characters' }], /is too long/],
    [[{ port: 0 }], /'device' is a required property/],
    [
      [
        { port: 0, device: 'tap0' },
        { port: 0, device: 'tap1' },
      ],
      /Port 0 occurs more than once/,
    ],
    [
      [
        { port: 0, device: 'tap0' },
        { port: 1, device: 'tap0' },
      ],
      /Device 'tap0' occurs more than once/,
    ],
    [Array.from({ length: 33 }, (_none, port) => ({ port, device: `tap${port}` })), /is greater than|is too long/],
  ])('refuses %j', async (ports, message) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/cloud/nodes`
    const refused = await call('POST', collection, { name: 'out', ports })
    expect(refused.body).toEqual({ message: expect.stringMatching(message), status: 400 })
    expect((await call('GET', collection)).body).toEqual([])
  })

  it('has NICs by the numbers of its ports, which lose their links when they are removed', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const one = `/v1/projects/${project}/cloud/nodes/${id}`
    await call('POST', `/v1/projects/${project}/cloud/nodes`, {
      name: 'out',
      node_id: id,
      ports: [{ port: 5, device: 'tap0' }],
    })
    const nio = { type: 'nio_udp', lport: 10_001, rhost: '127.0.0.1', rport: 10_002 }
    const absent = await call('POST', `${one}/adapters/0/ports/0/nio`, nio)
    expect(absent.body).toEqual({ message: "Port 0 doesn't exist in adapter 0 of cloud node 'out'.", status: 409 })
    expect((await call('POST', `${one}/adapters/0/ports/5/nio`, nio)).status).toBe(201)
    await call('PUT', one, { ports: [{ port: 6, device: 'tap0' }] })
    expect((await call('GET', `/v1/projects/${project}/links`)).body).toEqual([])
  })
})

describe('the check of fields', () => {
  const bounds = [
    ['emu1', 'adapters', [0, 275], [-1, 276, 'x']],
    ['emu1', 'hdc_disk_image', ['', '/images/c'], [{}, 'a\nb']],
    ['emu1', 'hdd_disk_image', ['/images/d'], [1]],
    [
      'emu1',
      'hda_disk_interface',
      ['sata', 'scsi', 'virtio', 'nvme', 'none'],
      ['', 'floppy', 'pflash', 'mtd', 'sd', 1],
    ],
    ['emu1', 'cdrom_image', ['', '/images/cd.iso'], ['a\0b']],
    ['emu1', 'bios_image', ['/images/bios'], [[]]],
    ['emu1', 'uefi', [true], ['yes']],
    ['emu1', 'boot_priority', ['c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd'], ['', 'x', 'cdn']],
    ['emu1', 'mac_address', ['', '0E:00:00:00:00:01'], ['0e:00:00:00:00', '01:00:00:00:00:00', '0e-00-00-00-00-01', 5]],
    ['emu1', 'cpus', [1, 255], [0, 256, 1.5]],
    ['emu1', 'maxcpus', [255], [0, 256]],
    ['emu1', 'serial_ports', [4], [0, 5]],
    ['emu1', 'console_type', ['telnet', 'vnc', 'spice', 'spice+agent', 'none'], ['http', '']],
    ['emu1', 'on_close', ['power_off', 'shutdown_signal'], ['save_vm_state', 'halt']],
    ['emu1', 'acpi_shutdown', [true, false], ['on']],
    ['emu1', 'usage', ['Log in as root.\nNo password.'], [5, 'x'.repeat(16_385)]],
    [
      'emu1',
      'custom_adapters',
      [[], [{ adapter_number: 274, adapter_type: 'e1000', mac_address: '0e:00:00:00:00:01', port_name: 'Gi0/0' }]],
      [
        {},
        [{}],
        [{ adapter_number: 275 }],
        [{ adapter_number: 0, mac_address: 'ff:ff:ff:ff:ff:ff' }],
        [{ adapter_number: 0, netdev: 'x' }],
        [{ adapter_number: 0 }, { adapter_number: 0 }],
        Array.from({ length: 276 }, (_, adapter_number) => ({ adapter_number })),
      ],
    ],
    ['emu1', 'cpu_throttling', [0, 800], [-1, 801]],
    ['emu1', 'ram', [1, 1_048_576], [0, -5, 1_048_577, 2.5]],
    ['emu1', 'monitor', [3001], [0, 65_536]],
    ['emu1', 'process_priority', ['realtime', 'very low', 'null'], ['highest', 3]],
    ['emu1', 'adapter_type', ['virtio-net-pci'], ['', 'x'.repeat(65)]],
    ['emu1', 'legacy_networking', [true, false], ['true', 1]],
    ['emu1', 'options', ['', '-boot d'], [5, 'a\0b']],
    ['emu1', 'hda_disk_image', ['', '/images/a'], [{}, 'a\nb', 'x'.repeat(4097)]],
    ['emu1', 'emu1_path', ['/usr/bin/qemu'], ['', 'x'.repeat(4097)]],
    ['emu2', 'ethernet_adapters', [0, 16], [-1, 17, '2']],
    ['emu2', 'serial_adapters', [0, 16], [-1, 17]],
    ['emu2', 'nvram', [1], [0]],
    ['emu2', 'ram', [1], [0, -1]],
    ['emu2', 'l1_keepalives', [true], ['yes']],
    ['emu2', 'initial_config_content', ['', 'hostname %h'], [5]],
    ['emu2', 'path', ['/images/x'], ['']],
    ['emu3', 'startup_script', ['', 'ip 10.0.0.1'], [5, []]],
    ['emu4', 'adapters', [0, 36], [-1, 37]],
    ['emu4', 'headless', [true], [1]],
    ['emu4', 'vmname', ['VM'], ['', '../VM']],
    ['emu4', 'linked_clone', [true], ['true']],
    ['container', 'adapters', [1, 32], [0, 33, '1']],
    ['container', 'memory', [6, 1_048_576], [5, 1_048_577, 6.5]],
    ['container', 'cpus', [0.01, 0.5, 256], [0, 257, '1']],
    ['container', 'image', ['frr', 'localhost/frr:10'], ['', 'a\nb', 'x'.repeat(256)]],
    ['container', 'console_type', ['telnet', 'none'], ['vnc', '']],
    ['container', 'console_command', ['vtysh'], ['', 'a\0b', 'x'.repeat(4097)]],
    ['container', 'start_command', ['', 'sleep 9'], [5, 'a\0b', 'x'.repeat(4097)]],
    [
      'container',
      'environment',
      [[], ['LANG=C', '_9=', 'A=b=c']],
      [
        'A=b',
        ['LANG'],
        ['=x'],
        ['9A=x'],
        ['A B=x'],
        ['A=b\0'],
        ['A=1', 'A=2'],
        Array.from({ length: 65 }, (_, i) => `A${i}=`),
      ],
    ],
    [
      'container',
      'volumes',
      [[], ['/data'], ['/srv/frr', '/var/lib/a-b_c.d+@']],
      [
        '/data',
        ...['', '/', 'data', '/data/', '/a//b', '/a/../b', '/a/./b', '/..', '/a:ro', '/a b', '/proc', '/proc/x'].map(
          (path) => [path],
        ),
        ...['/sys/fs', '/dev', '/dev/shm', `/${'x'.repeat(255)}`].map((path) => [path]),
        ['/data', '/data'],
        Array.from({ length: 17 }, (_, i) => `/v${i}`),
      ],
    ],
    [
      'container',
      'startup_config_path',
      ['', '/srv/frr/frr.conf'],
      ['/', 'frr.conf', '/etc/', '/dev/x', `/etc/${'x'.repeat(100)}`],
    ],
    ['container', 'startup_config', ['', 'hostname %h'], [5, {}]],
  ] as const

  it.each(bounds)('refuses values of %s %s that are out of bounds', async (kind, field, good, bad) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const { base, least } = kinds.find((each) => each.kind === kind) ?? kinds[0]
    const collection = `/v1/projects/${project}/${base}`
    for (const value of good) expect((await call('POST', collection, { ...least, [field]: value })).status).toBe(201)
    for (const value of bad) {
      const refused = await call('POST', collection, { ...least, [field]: value })
      expect(refused.body).toEqual({
        message: expect.stringMatching(new RegExp(`in field '${field}['.]`)),
        status: 400,
      })
    }
    expect((await call('GET', collection)).body).toHaveLength(good.length)
  })

  it.each([
    [{ port: 0, type: 'access', vlan: 1 }, "0 is less than the minimum of 1 in field 'ports.1.port'"],
    [{ port: 65_536, type: 'access', vlan: 1 }, "65536 is greater than the maximum of 65535 in field 'ports.1.port'"],
    [{ port: 2, type: 'isl', vlan: 1 }, "'isl' is not one of ['access', 'dot1q', 'qinq'] in field 'ports.1.type'"],
    [{ port: 2, type: 'access', vlan: 0 }, "0 is less than the minimum of 1 in field 'ports.1.vlan'"],
    [{ port: 2, type: 'access', vlan: 4095 }, "4095 is greater than the maximum of 4094 in field 'ports.1.vlan'"],
    [{ port: 2, type: 'access' }, "'vlan' is a required property in field 'ports.1.vlan'"],
    [
      { port: 2, type: 'access', vlan: 1, x: 1 },
      "Additional properties are not allowed ('x' was unexpected) in field 'ports.1.x'",
    ],
    [{ port: 1, type: 'access', vlan: 1 }, "Port 1 occurs more than once in field 'ports'"],
    ['x', "'x' is not of type 'object' in field 'ports.1'"],
  ])('refuses an invalid second port of a switch: %j', async (second, message) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu5/devices`
    await call('POST', collection, { name: 'SW1', device_id: id })
    const ports = [{ port: 1, type: 'access', vlan: 1 }, second]
    const refused = await call('PUT', `${collection}/${id}`, { ports })
    expect(refused.body).toEqual({ message: `Invalid JSON: ${message}.`, status: 400 })
    expect((await call('GET', `${collection}/${id}`)).body).toMatchObject({ ports: [] })
  })

  it('accepts at most 1,024 ports of a switch', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu5/devices`
    const ports = Array.from({ length: 1025 }, (_none, index) => ({ port: index + 1, type: 'access', vlan: 1 }))
    expect((await call('POST', collection, { name: 'S', ports })).status).toBe(400)
    expect((await call('POST', collection, { name: 'S', device_id: id, ports: ports.slice(1) })).status).toBe(201)
    const one = `${collection}/${id}`
    expect((await call('PUT', one, { ports: ports.slice(0, 1) })).body).toEqual({
      message: 'A switch cannot have more than 1024 ports.',
      status: 409,
    })
    expect((await call('PUT', one, { ports: [{ port: 2, type: 'access', vlan: 2 }] })).status).toBe(200)
  })

  it.each([
    [
      'frame_relay_switch',
      "Devices of type 'frame_relay_switch' are not offered. Use 'ethernet_switch' or 'ethernet_hub'",
    ],
    ['atm_switch', "Devices of type 'atm_switch' are not offered. Use 'ethernet_switch' or 'ethernet_hub'"],
    ['toaster', "'toaster' is not one of ['ethernet_switch', 'ethernet_hub']"],
  ])('refuses a device of type %s', async (device_type, message) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const refused = await call('POST', `/v1/projects/${project}/emu5/devices`, { name: 'D', device_type })
    expect(refused.body).toEqual({ message: `Invalid JSON: ${message} in field 'device_type'.`, status: 400 })
  })

  it('returns a hub without the settings of a switch, and refuses them', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu5/devices`
    const least = { name: 'H1', device_type: 'ethernet_hub', device_id: id }
    const ports = [{ port: 1, type: 'access', vlan: 1 }]
    const nio = { type: 'nio_udp', lport: 10_000, rhost: '127.0.0.1', rport: 10_001 }
    const port = `${collection}/${id}/ports/1/nio`
    const refusal = {
      message:
        "A hub sends every frame to every other port: 'ports', 'port_settings' and 'mac_ageing_seconds' are settings of a switch.",
      status: 409,
    }
    expect((await call('POST', collection, { ...least, ports })).body).toEqual(refusal)
    expect((await call('POST', collection, { ...least, mac_ageing_seconds: 0 })).body).toEqual(refusal)
    const hub = { device_id: id, device_type: 'ethernet_hub', name: 'H1', project_id: project }
    expect((await call('POST', collection, { ...least, ports: [] })).body).toEqual(hub)
    expect((await call('PUT', `${collection}/${id}`, { ports })).body).toEqual(refusal)
    const port_settings = { type: 'access', vlan: 2 }
    expect((await call('POST', port, { nio, port_settings })).body).toEqual(refusal)
    expect((await call('POST', port, { nio })).status).toBe(201)
    expect((await call('GET', `${collection}/${id}`)).body).toEqual(hub)
    expect((await call('PUT', `${collection}/${id}`, { device_type: 'ethernet_switch' })).status).toBe(400)
  })

  it.each([
    [9, '9 is neither 0 nor at least 10'],
    [-1, '-1 is less than the minimum of 0'],
    [1_000_001, '1000001 is greater than the maximum of 1000000'],
  ])('refuses to forget addresses after %s seconds', async (mac_ageing_seconds, message) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu5/devices`
    const refused = await call('POST', collection, { name: 'S', mac_ageing_seconds })
    expect(refused.body).toEqual({ message: `Invalid JSON: ${message} in field 'mac_ageing_seconds'.`, status: 400 })
    await call('POST', collection, { name: 'S', device_id: id, mac_ageing_seconds: 0 })
    expect((await call('GET', `${collection}/${id}`)).body).toMatchObject({ mac_ageing_seconds: 0 })
  })
})

describe('a request with fields of one kind', () => {
  it('sets the engine of emu3 at its creation only, and its MAC address', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu3/vms`
    const one = `${collection}/${id}`
    const made = await call('POST', collection, {
      name: 'PC1',
      vm_id: id,
      engine: 'vpcs',
      mac_address: '00:50:79:66:68:AB',
    })
    const shown = { engine: 'vpcs', mac_address: '00:50:79:66:68:ab' }
    expect([made.status, made.body]).toMatchObject([201, shown])
    expect((await call('PUT', one, { name: 'PC2', mac_address: null })).body).toMatchObject(shown)
    expect((await call('PUT', one, { mac_address: '02:00:00:00:00:01' })).body).toMatchObject({
      mac_address: '02:00:00:00:00:01',
    })
    expect((await call('PUT', one, { engine: 'embedded' })).body).toEqual({
      message: "Invalid JSON: Additional properties are not allowed ('engine' was unexpected) in field 'engine'.",
      status: 400,
    })
    expect((await call('POST', collection, { name: 'PC3', engine: 'qemu' })).status).toBe(400)
  })

  it.each([
    '01:00:00:00:00:01',
    'ff:ff:ff:ff:ff:ff',
    '00:00:00:00:00:00',
    '02:00:00:00:00',
    '0200.0000.0001',
    '',
  ])('refuses the MAC address %j of emu3', async (mac_address) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const refused = await call('POST', `/v1/projects/${project}/emu3/vms`, { name: 'PC1', mac_address })
    expect(refused.body).toEqual({
      message: `Invalid JSON: '${mac_address}' is not a MAC address of one station, such as 02:00:00:00:00:01 in field 'mac_address'.`,
      status: 400,
    })
  })

  it('sets the startup script of emu3', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const one = `/v1/projects/${project}/emu3/vms/${id}`
    const made = await call('POST', `/v1/projects/${project}/emu3/vms`, {
      name: 'PC1',
      vm_id: id,
      startup_script: 'ip 192.168.1.1/24\necho %h',
    })
    expect(made.body).toMatchObject({
      startup_script: 'ip 192.168.1.1/24\necho PC1',
      startup_script_path: 'startup.vpc',
    })
    const updated = await call('PUT', one, { name: 'PC2', startup_script: null })
    expect(updated.body).toMatchObject({ name: 'PC2', startup_script: 'ip 192.168.1.1/24\necho PC2' })
    const long = await call('PUT', one, { startup_script: '%h'.repeat(400_000) })
    expect(long.body).toEqual({
      message: "The text is longer than 1048576 bytes after '%h' is replaced by the name.",
      status: 400,
    })
    expect((await call('GET', one)).body).toEqual(updated.body)
  })

  it('sets the initial configuration of emu2', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu2/vms`
    const config = `${collection}/${id}/initial_config`
    const made = await call('POST', collection, { name: 'R1', path: '/i', vm_id: id })
    expect(made.body).toMatchObject({ initial_config: null })
    expect((await call('GET', config)).body).toEqual({ content: null })
    const updated = await call('PUT', `${collection}/${id}`, { initial_config_content: 'hostname %h' })
    expect(updated.body).toMatchObject({ initial_config: 'initial-config.cfg' })
    expect(updated.body).not.toHaveProperty('initial_config_content')
    expect((await call('GET', config)).body).toEqual({ content: 'hostname R1' })
    expect((await call('GET', `${collection}/${absent}/initial_config`)).status).toBe(404)
    expect((await call('GET', `${collection}/x/initial_config`)).status).toBe(400)
  })

  it('sets and returns the startup configuration of a container', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/containers/nodes`
    const least = { name: 'R1', image: 'frr', node_id: id, startup_config: 'hostname %h\n' }
    expect((await call('POST', collection, least)).body).toMatchObject({ startup_config: 'hostname R1\n' })
    await call('PUT', `${collection}/${id}`, { startup_config: 'line vty\n', startup_config_path: '/srv/frr.conf' })
    expect((await call('GET', `${collection}/${id}`)).body).toMatchObject({
      startup_config: 'line vty\n',
      startup_config_path: '/srv/frr.conf',
    })
  })

  it('names a linked clone of emu4 after its instance', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const clone = { name: 'Clone', vmname: 'Base', linked_clone: true }
    const made = await call('POST', `/v1/projects/${project}/emu4/vms`, clone)
    expect(made.body).toMatchObject({ name: 'Clone', vmname: 'Clone' })
    expect(made.body).not.toHaveProperty('linked_clone')
  })
})

describe('the lifecycle interface', () => {
  const commands = [
    ['emu1', ['start', 'suspend', 'resume', 'reload', 'stop']],
    ['emu2', ['start', 'reload', 'stop']],
    ['emu3', ['start', 'reload', 'stop']],
    ['emu4', ['start', 'suspend', 'resume', 'reload', 'stop']],
    ['container', ['start', 'suspend', 'resume', 'reload', 'stop']],
  ] as const

  it.each(commands)('returns 204 for %s, or 404 and 400 for absent and invalid ids: %j', async (kind, verbs) => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const { base, least } = kinds.find((each) => each.kind === kind) ?? kinds[0]
    const one = `/v1/projects/${project}/${base}/${id}`
    const { idField, noun } = names[kind] ?? { idField: 'vm_id', noun: 'VM' }
    await call('POST', `/v1/projects/${project}/${base}`, { ...least, [idField]: id })
    for (const verb of verbs) {
      const done = await call('POST', `${one}/${verb}`)
      expect([verb, done.status, done.body]).toEqual([verb, 204, undefined])
      expect((await call('POST', `/v1/projects/${project}/${base}/${absent}/${verb}`)).status).toBe(404)
      expect((await call('POST', `/v1/projects/${project}/${base}/x/${verb}`)).status).toBe(400)
      expect((await call('POST', `/v1/projects/${absent}/${base}/${id}/${verb}`)).status).toBe(404)
    }
    for (const verb of ['suspend', 'resume'].filter((each) => verbs.some((known) => known === each))) {
      const stopped = await call('POST', `${one}/${verb}`)
      expect(stopped.body).toEqual({
        message: `The ${kind} ${noun.replace('Node', 'node')} PC TEST 1 is not started.`,
        status: 409,
      })
    }
    if (kind === 'emu2') expect((await call('POST', `${one}/suspend`).catch(() => ({ status: 404 }))).status).toBe(404)
  })

  it('returns the message of the emulator when it refuses', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const collection = `/v1/projects/${project}/emu3/vms`
    await call('POST', collection, { name: 'absent program', vm_id: id })
    const refused = await call('POST', `${collection}/${id}/start`)
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'vpcs could not be found, install vpcs.', status: 409 },
    ])
    await call('PUT', `${collection}/${id}`, { name: 'exits immediately' })
    expect((await call('POST', `${collection}/${id}/start`)).body).toEqual({
      message: 'It exited immediately: bad option.',
      status: 409,
    })
  })
})

describe('the interface of resources', () => {
  const openLab = async (kind: (typeof kinds)[number]['kind']) => {
    const lab = createHttpLab()
    await lab.call('POST', '/v1/projects', { project_id: project })
    const { base, least } = kinds.find((each) => each.kind === kind) ?? kinds[0]
    const collection = `/v1/projects/${project}/${base}`
    await lab.call('POST', collection, { ...least, [names[kind]?.idField ?? 'vm_id']: id })
    return { ...lab, collection, one: `${collection}/${id}` }
  }

  it('returns CPU time and memory while the instance runs or is suspended', async () => {
    const { call, one } = await openLab('emu1')
    for (const command of ['start', 'suspend']) {
      await call('POST', `${one}/${command}`)
      const { status, body } = await call('GET', `${one}/resources`)
      expect([status, body]).toEqual([200, { cpu_seconds: 1.25, memory_bytes: 67_108_864 }])
    }
  })

  it.each([
    'emu2',
    'emu3',
    'emu4',
  ] as const)('returns null where the emulator of %s does not know them', async (kind) => {
    const { call, one } = await openLab(kind)
    await call('POST', `${one}/start`)
    const { status, body } = await call('GET', `${one}/resources`)
    expect([status, body]).toEqual([200, { cpu_seconds: null, memory_bytes: null }])
  })

  it.each([
    'emu1',
    'emu2',
    'emu3',
    'emu4',
    'nat',
    'container',
  ] as const)('returns 409 before the start of %s', async (kind) => {
    const { call, collection, one } = await openLab(kind)
    const { status, body } = await call('GET', `${one}/resources`)
    expect([status, body]).toEqual([
      409,
      { message: expect.stringMatching(/ PC TEST 1 is not started\.$/), status: 409 },
    ])
    expect((await call('GET', `${collection}/${absent}/resources`)).status).toBe(404)
    expect((await call('GET', `${collection}/x/resources`)).status).toBe(400)
  })

  it('returns 409 after the stop', async () => {
    const { call, one } = await openLab('emu1')
    for (const command of ['start', 'stop']) await call('POST', `${one}/${command}`)
    expect((await call('GET', `${one}/resources`)).status).toBe(409)
  })
})
