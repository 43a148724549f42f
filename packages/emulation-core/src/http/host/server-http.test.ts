import { expectOk } from '@trivium/http-client'
import { toOpenApi } from '@trivium/http-contract/openapi'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'

const project = '11111111-1111-4111-8111-111111111111'

describe('the HTTP interface of the server', () => {
  it('reserves UDP ports', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    const first = await call('POST', '/v1/ports/udp')
    expect([first.status, first.body]).toEqual([201, { udp_port: 10_000 }])
    expect((await call('POST', '/ports/udp', {})).body).toEqual({ udp_port: 10_001 })
    expect((await call('POST', `/v1/projects/${project}/ports/udp`)).body).toEqual({ udp_port: 10_002 })
  })

  it('returns 409 when no UDP port is free', async () => {
    const { call, busy } = createHttpLab()
    for (let port = 10_000; port <= 20_000; port += 1) busy.add(`udp ${port}`)
    const none = await call('POST', '/v1/ports/udp')
    expect([none.status, none.body]).toEqual([
      409,
      { message: 'Could not find a free UDP port between 10000 and 20000.', status: 409 },
    ])
  })

  it('lists network interfaces', async () => {
    const { client } = createHttpLab({}, { interfaces: async () => [{ id: 'eth0', name: 'eth0' }] })
    expect(await expectOk(client.listInterfaces())).toEqual([{ id: 'eth0', name: 'eth0' }])
    expect(await expectOk(createHttpLab().client.listInterfaces())).toEqual([])
  })

  it('refuses to load the configuration again', async () => {
    const { call } = createHttpLab()
    const refused = await call('POST', '/v1/config/reload')
    const message = 'You can only reload the configuration for a local server.'
    expect([refused.status, refused.body]).toEqual([403, { message, status: 403 }])
    expect(refused.headers.get('x-route')).toBe('/v1/config/reload')
  })

  it('reports and expects another version than its own with `reportedVersion`', async () => {
    const { call } = createHttpLab({ version: '9.9', reportedVersion: '1.3.0alpha1' })
    const found = await call('GET', '/v1/version')
    expect([found.body, found.headers.get('server')]).toEqual([{ version: '1.3.0alpha1', local: false }, 'Trivium/9.9'])
    expect((await call('POST', '/v1/version', { version: '1.3.0alpha1' })).status).toBe(200)
    expect((await call('POST', '/v1/version', { version: '9.9' })).body).toEqual({
      message: 'Client version 9.9 differs with server version 1.3.0alpha1.',
      status: 409,
    })
  })

  it('returns its version, and compares it with that of the client', async () => {
    const { call } = createHttpLab({ version: '9.9' })
    expect((await call('GET', '/v1/version')).body).toEqual({ version: '9.9', local: false })
    const same = await call('POST', '/v1/version', { version: '9.9' })
    expect([same.status, same.body]).toEqual([200, { version: '9.9', local: false }])
    const differs = await call('POST', '/v1/version', { version: '1.0' })
    expect([differs.status, differs.body]).toEqual([
      409,
      { message: 'Client version 1.0 differs with server version 9.9.', status: 409 },
    ])
    expect((await call('POST', '/v1/version', {})).status).toBe(400)
    expect((await call('POST', '/v1/version')).body).toEqual({
      message: "Invalid JSON: 'version' is a required property.",
      status: 400,
    })
  })

  it('returns the programs, capabilities and VM names of its emulators', async () => {
    const { client } = createHttpLab()
    expect(await expectOk(client.listEmu1Binaries())).toEqual([{ path: '/usr/bin/machine', version: '1.0' }])
    expect(await expectOk(client.getEmu1Capabilities())).toEqual({ kvm: ['x86_64'] })
    expect(await expectOk(client.listEmu4Names())).toEqual(['VM 1'])
  })

  it.each([
    'emu1/binaries',
    'emu1/capabilities',
    'emu4/vms',
  ])('returns 409 for %s without an emulator', async (path) => {
    const { call } = createHttpLab({}, { emulators: {} })
    const refused = await call('GET', `/v1/${path}`)
    expect(refused.body).toEqual({
      message: `This server has no emulator for ${path.slice(0, 4)}.`,
      status: 409,
    })
  })
})

describe('the HTTP interface with product names', () => {
  it('serves instances under product names with the option `productNames`', async () => {
    const { call } = createHttpLab({ productNames: true })
    await call('POST', '/v1/projects', { project_id: project })
    const made = await call('POST', `/v1/projects/${project}/qemu/vms`, { name: 'Q1', qemu_path: '/usr/bin/qemu' })
    expect(made.status).toBe(201)
    expect(made.headers.get('x-route')).toBe('/v1/projects/{project_id}/qemu/vms')
    expect(made.body).toMatchObject({ qemu_path: '/usr/bin/qemu', ram: 256 })
    expect(made.body).not.toHaveProperty('emu1_path')
    const list = await call('GET', `/projects/${project}/qemu/vms`)
    expect(list.body).toEqual([made.body])
    const neutral = await call('GET', `/v1/projects/${project}/emu1/vms`)
    expect(neutral.body).toMatchObject([{ emu1_path: '/usr/bin/qemu' }])
    for (const [path, body] of [
      ['iou/vms', { name: 'I', path: '/i' }],
      ['vpcs/vms', { name: 'V' }],
      ['virtualbox/vms', { name: 'B', vmname: 'B', linked_clone: false }],
      ['dynamips/devices', { name: 'S', device_type: 'ethernet_switch' }],
    ] as const) {
      expect((await call('POST', `/v1/projects/${project}/${path}`, body)).status).toBe(201)
    }
    expect((await call('GET', '/v1/qemu/binaries')).status).toBe(200)
  })

  it('declares the field names of the product', async () => {
    const { call, routes } = createHttpLab({ productNames: true })
    await call('POST', '/v1/projects', { project_id: project })
    const made = await call('POST', `/v1/projects/${project}/qemu/vms`, { name: 'Q1', qemu_path: '/usr/bin/qemu' })
    const { paths } = toOpenApi([{ operations: routes }], { info: { title: 'Emulation', version: '1' } })
    for (const prefix of ['', '/v1']) {
      const item = paths[`${prefix}/projects/{project_id}/qemu/vms`]
      expect(item?.post?.requestBody?.content['application/json']?.schema?.required).toEqual(['name', 'qemu_path'])
    }
    const declared = routes.filter(({ operation }) => operation.path.endsWith('/qemu/vms/{vm_id}'))
    const answered = declared.flatMap(({ operation }) => operation.responses[200] ?? [])
    expect(answered.filter((body) => 'type' in body).map((body) => v.is(body, made.body))).toEqual(Array(4).fill(true))
  })

  it('names the fields of the product in errors, and refuses the neutral ones', async () => {
    const { call } = createHttpLab({ productNames: true })
    await call('POST', '/v1/projects', { project_id: project })
    const path = `/v1/projects/${project}/qemu/vms`
    expect((await call('POST', path, { name: 'Q1' })).body).toEqual({
      message: "Invalid JSON: 'qemu_path' is a required property in field 'qemu_path'.",
      status: 400,
    })
    expect((await call('POST', path, { name: 'Q1', emu1_path: 'q', qemu_path: 'q' })).status).toBe(400)
    expect((await call('POST', path, '{')).body).toEqual({
      message: expect.stringMatching(/^Invalid JSON: /),
      status: 400,
    })
    expect((await call('POST', path, '[]')).status).toBe(400)
  })

  it('words the numbers in `X-Route` as the original does, under product names only', async () => {
    const { call } = createHttpLab({ productNames: true })
    const routeOf = async (path: string) => (await call('GET', path)).headers.get('x-route')
    const { project_id } = Object((await call('POST', '/v1/projects')).body)
    const at = `/v1/projects/${project_id}`
    const nic = 'adapters/0/ports/0/nio'
    expect(await routeOf(`${at}/vpcs/vms/none/${nic}`)).toBe(
      '/v1/projects/{project_id}/vpcs/vms/{vm_id}/adapters/{adapter_number:\\d+}/ports/{port_number:\\d+}/nio',
    )
    expect(await routeOf(`${at}/dynamips/devices/none/ports/1/nio`)).toBe(
      '/v1/projects/{project_id}/dynamips/devices/{device_id}/ports/{port_number:\\d+}/nio',
    )
    expect(await routeOf(`${at}/emu3/vms/none/${nic}`)).toBe(
      '/v1/projects/{project_id}/emu3/vms/{vm_id}/adapters/{adapter_number}/ports/{port_number}/nio',
    )
  })

  it('has no routes under product names without the option `productNames`', async () => {
    const { request, call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: project })
    expect(await (await request('GET', `/v1/projects/${project}/qemu/vms`)).text()).toBe('no route')
  })
})
