import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../../tests/http-lab.ts'

const id = '11111111-1111-4111-8111-111111111111'
const [one, two] = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333']

describe('the topology of a project', () => {
  it('has what the lists of the project have, with every setting', async () => {
    const { call } = createHttpLab()
    const base = `/v1/projects/${id}`
    await call('POST', '/v1/projects', { project_id: id, name: 'Lab' })
    await call('POST', `${base}/emu3/vms`, { name: 'PC1', vm_id: one, startup_script: 'ip 10.0.0.1/24\n' })
    await call('POST', `${base}/emu1/vms`, { name: 'M1', vm_id: two, emu1_path: 'q' })
    const nio = (lport: number, rport: number) => ({ type: 'nio_udp', lport, rhost: '127.0.0.1', rport })
    await call('POST', `${base}/emu3/vms/${one}/adapters/0/ports/0/nio`, nio(10_000, 10_001))
    await call('POST', `${base}/emu1/vms/${two}/adapters/0/ports/0/nio`, nio(10_001, 10_000))
    await call('PUT', `${base}/nodes`, { nodes: [{ node_id: one, x: 10, y: 20 }] })
    await call('POST', `${base}/drawings`, { svg: '<svg/>' })
    await call('POST', `${base}/emu3/vms/${one}/start`)
    const read = async (path: string) => (await call('GET', `${base}${path}`)).body
    const nodes = await read('/nodes')
    const topology = await call('GET', `${base}/topology`)
    expect(topology.headers.get('content-type')).toBe('application/json')
    expect(topology.body).toEqual({
      project: await read(''),
      nodes: [
        { ...Object(nodes)[0], properties: await read(`/emu3/vms/${one}`) },
        { ...Object(nodes)[1], properties: await read(`/emu1/vms/${two}`) },
      ],
      links: await read('/links'),
      drawings: await read('/drawings'),
    })
    expect(topology.body).toMatchObject({
      project: { nodes: 2, nodes_running: 1 },
      nodes: [{ status: 'started', x: 10 }, { status: 'stopped' }],
      links: [{ ends: [{ id: one }, { id: two }] }],
      drawings: [{ svg: '<svg/>' }],
    })
  })

  it('answers for an empty project and for a closed one', async () => {
    const { call } = createHttpLab()
    await call('POST', '/v1/projects', { project_id: id })
    await call('POST', `/v1/projects/${id}/close`)
    expect((await call('GET', `/v1/projects/${id}/topology`)).body).toMatchObject({
      project: { status: 'closed' },
      nodes: [],
      links: [],
      drawings: [],
    })
  })
})
