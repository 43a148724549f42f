import { emulationContract } from '@trivium/emulation-core/http'
import { type Client, createClient, expectOk } from '@trivium/http-client'
import type { ServerProcess } from '../server-process.ts'

export const emulationOf = (server: ServerProcess): Client<typeof emulationContract> =>
  createClient(emulationContract, { baseUrl: server.url, headers: { authorization: server.admin } })

export interface TestLab {
  readonly projectId: string
  readonly ids: Readonly<Record<'PC1' | 'PC2' | 'Switch1', string>>
}

/** Creates two virtual PCs, 10.0.0.1 and 10.0.0.2, connects them through a switch and starts them. */
export async function createLab(server: ServerProcess): Promise<TestLab> {
  const emulation = emulationOf(server)
  const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
  const params = { project_id }
  const { device_id } = await expectOk(emulation.createEmu5({ params, body: { name: 'Switch1' } }))
  const cabled = async (number: 1 | 2) => {
    const body = { name: `PC${number}`, startup_script: `ip 10.0.0.${number}/24` }
    const { vm_id } = await expectOk(emulation.createEmu3({ params, body }))
    const { udp_port: near } = await expectOk(emulation.createProjectUdpPort({ params }))
    const { udp_port: far } = await expectOk(emulation.createProjectUdpPort({ params }))
    const nio = { type: 'nio_udp', rhost: '127.0.0.1' } as const
    await expectOk(
      emulation.createNioEmu3({
        params: { project_id, vm_id, adapter_number: 0, port_number: 0 },
        body: { ...nio, lport: near, rport: far },
      }),
    )
    await expectOk(
      emulation.createNioEmu5({
        params: { project_id, device_id, port_number: number },
        body: { nio: { ...nio, lport: far, rport: near } },
      }),
    )
    await expectOk(emulation.startEmu3({ params: { project_id, vm_id } }))
    return vm_id
  }
  return { projectId: project_id, ids: { Switch1: device_id, PC1: await cabled(1), PC2: await cabled(2) } }
}

/** Returns the outgoing delay of each end of the first link, in milliseconds. */
export async function delaysOf(server: ServerProcess, projectId: string): Promise<readonly (number | undefined)[]> {
  const [link] = await expectOk(emulationOf(server).listLinks({ params: { project_id: projectId } }))
  return link?.ends.map(({ impairments }) => impairments.outgoing?.delay_ms) ?? []
}

/** Returns the settings of the ports of the project's first switch. */
export async function switchPortsOf(server: ServerProcess, projectId: string): Promise<readonly unknown[]> {
  const [found] = await expectOk(emulationOf(server).listEmu5({ params: { project_id: projectId } }))
  return found?.ports ?? []
}
