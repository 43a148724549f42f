import { expectOk } from '@trivium/http-client'
import type { EmulationClient } from '../../../hooks/use-emulation.ts'
import { type Instance, instanceParams } from '../kinds/instance.ts'
import type { Choice } from '../kinds/kinds.ts'
import { containerBody } from './container-form.ts'
import type { FormValues } from './form-field.ts'
import { cloudBody, desktopVmBody, routerBody, switchBody, virtualPcBody, virtualPcEngine } from './instance-form.ts'
import { machineBody } from './machine-form.ts'

/** An instance to create. */
export interface NewInstance {
  readonly projectId: string
  readonly choice: Choice
  readonly name: string
  readonly values: FormValues
}

/** Creates an instance. @returns its id */
export async function createInstance(
  client: EmulationClient,
  { projectId, choice, name, values }: NewInstance,
): Promise<string> {
  const params = { project_id: projectId }
  switch (choice) {
    case 'emu1':
      return (await expectOk(client.createEmu1({ params, body: { name, ...machineBody(values) } }))).vm_id
    case 'emu2':
      return (await expectOk(client.createEmu2({ params, body: { name, ...routerBody(values) } }))).vm_id
    case 'emu3': {
      const body = { name, ...virtualPcBody(values), engine: virtualPcEngine(values) }
      return (await expectOk(client.createEmu3({ params, body }))).vm_id
    }
    case 'emu4': {
      const body = { name, ...desktopVmBody(values), linked_clone: values.linked_clone === true }
      return (await expectOk(client.createEmu4({ params, body }))).vm_id
    }
    case 'emu5':
    case 'hub': {
      const device_type = choice === 'hub' ? 'ethernet_hub' : 'ethernet_switch'
      return (await expectOk(client.createEmu5({ params, body: { name, device_type, ...switchBody(values) } })))
        .device_id
    }
    case 'nat':
      return (await expectOk(client.createNat({ params, body: { name } }))).node_id
    case 'cloud':
      return (await expectOk(client.createCloud({ params, body: { name, ...cloudBody(values) } }))).node_id
    case 'container':
      return (await expectOk(client.createContainer({ params, body: { name, ...containerBody(values) } }))).node_id
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
    case 'emu1': {
      const { mac_address, ...settings } = machineBody(values)
      // An address from the id of the machine stays one while it is not changed.
      const address = mac_address === instance.wire.mac_address ? {} : { mac_address }
      return void (await expectOk(client.updateEmu1({ params, body: { name, ...settings, ...address } })))
    }
    case 'emu2':
      return void (await expectOk(client.updateEmu2({ params, body: { name, ...routerBody(values) } })))
    case 'emu3':
      return void (await expectOk(client.updateEmu3({ params, body: { name, ...virtualPcBody(values) } })))
    case 'emu4':
      return void (await expectOk(client.updateEmu4({ params, body: { name, ...desktopVmBody(values) } })))
    case 'emu5':
      return void (await expectOk(client.updateEmu5({ params, body: { name, ...switchBody(values) } })))
    case 'nat':
      return void (await expectOk(client.updateNat({ params, body: { name } })))
    case 'cloud':
      return void (await expectOk(client.updateCloud({ params, body: { name, ...cloudBody(values) } })))
    case 'container':
      return void (await expectOk(client.updateContainer({ params, body: { name, ...containerBody(values) } })))
  }
}
