import { expectOk } from '@trivium/http-client'
import type { EmulationClient } from '../../../hooks/use-emulation.ts'
import { type Instance, instanceParams } from '../kinds/instance.ts'
import type { Kind } from '../kinds/kinds.ts'
import { cloudBody, desktopVmBody, type FormValues, machineBody, routerBody, virtualPcBody } from './instance-form.ts'

/** An instance to create. */
export interface NewInstance {
  readonly projectId: string
  readonly kind: Kind
  readonly name: string
  readonly values: FormValues
}

/** Creates an instance. @returns its id */
export async function createInstance(
  client: EmulationClient,
  { projectId, kind, name, values }: NewInstance,
): Promise<string> {
  const params = { project_id: projectId }
  switch (kind) {
    case 'emu1':
      return (await expectOk(client.createEmu1({ params, body: { name, ...machineBody(values) } }))).vm_id
    case 'emu2':
      return (await expectOk(client.createEmu2({ params, body: { name, ...routerBody(values) } }))).vm_id
    case 'emu3':
      return (await expectOk(client.createEmu3({ params, body: { name, ...virtualPcBody(values) } }))).vm_id
    case 'emu4': {
      const body = { name, ...desktopVmBody(values), linked_clone: values.linked_clone === true }
      return (await expectOk(client.createEmu4({ params, body }))).vm_id
    }
    case 'emu5': {
      const device_type = values.device_type === 'ethernet_hub' ? values.device_type : 'ethernet_switch'
      return (await expectOk(client.createEmu5({ params, body: { name, device_type } }))).device_id
    }
    case 'nat':
      return (await expectOk(client.createNat({ params, body: { name } }))).node_id
    case 'cloud':
      return (await expectOk(client.createCloud({ params, body: { name, ...cloudBody(values) } }))).node_id
  }
}

/** Changes the name and the settings of an instance. */
export async function changeInstance(
  client: EmulationClient,
  instance: Instance,
  name: string,
  values: FormValues,
): Promise<void> {
  const params = instanceParams(instance)
  switch (instance.kind) {
    case 'emu1':
      return void (await expectOk(client.updateEmu1({ params, body: { name, ...machineBody(values) } })))
    case 'emu2':
      return void (await expectOk(client.updateEmu2({ params, body: { name, ...routerBody(values) } })))
    case 'emu3':
      return void (await expectOk(client.updateEmu3({ params, body: { name, ...virtualPcBody(values) } })))
    case 'emu4':
      return void (await expectOk(client.updateEmu4({ params, body: { name, ...desktopVmBody(values) } })))
    case 'emu5':
      return void (await expectOk(client.updateEmu5({ params, body: { name } })))
    case 'nat':
      return void (await expectOk(client.updateNat({ params, body: { name } })))
    case 'cloud':
      return void (await expectOk(client.updateCloud({ params, body: { name, ...cloudBody(values) } })))
  }
}
