import type { Handlers } from '@trivium/http-contract'
import type { Emulation } from '../index.ts'
import type { Caller } from './access/caller.ts'
import { applianceHandlers } from './appliances/appliance-operations.ts'
import { captureHandlers } from './captures/capture-operations.ts'
import { consoleHandlers } from './consoles/console-operations.ts'
import type { emulationContract } from './contract.ts'
import { diskImageHandlers } from './disk-images/disk-image-handlers.ts'
import { drawingHandlers } from './drawings/drawing-handlers.ts'
import { serverHandlers } from './host/server-operations.ts'
import { instanceHandlers } from './instances/instance-handlers.ts'
import { lifecycleHandlers, suspensionHandlers } from './instances/lifecycle-operations.ts'
import { resourceHandlers } from './instances/resource-operations.ts'
import { cloudWire } from './kinds/cloud.ts'
import { containerWire } from './kinds/container.ts'
import { desktopVmWire } from './kinds/desktop-vm.ts'
import { ethernetSwitchWire } from './kinds/ethernet-switch.ts'
import { routerHandlers, switchHandlers } from './kinds/kind-extras.ts'
import { machineWire } from './kinds/machine.ts'
import { natWire } from './kinds/nat.ts'
import { routerWire } from './kinds/router.ts'
import { virtualPcWire } from './kinds/virtual-pc.ts'
import { deviceNioHandlers, nicHandlers, vmNioHandlers } from './links/nic-operations.ts'
import { named } from './named.ts'
import { labNodeHandlers } from './nodes/node-operations.ts'
import type { NotificationOptions } from './notifications/notifications.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { topologyHandlers } from './topology/topology-operations.ts'

export interface HandlerOptions extends NotificationOptions {
  readonly reportedVersion: string
}

export const emulationHandlers = (
  emulation: Emulation,
  options: HandlerOptions,
): Handlers<typeof emulationContract, Caller> => ({
  ...projectHandlers(emulation, options),
  ...labNodeHandlers(emulation),
  ...topologyHandlers(emulation),
  ...serverHandlers(emulation, options),
  ...diskImageHandlers(emulation),
  ...drawingHandlers(emulation),
  ...named(instanceHandlers(emulation, machineWire), 'Emu1'),
  ...named(lifecycleHandlers(emulation, 'machine'), 'Emu1'),
  ...named(suspensionHandlers(emulation, 'machine'), 'Emu1'),
  ...named(resourceHandlers(emulation, 'machine'), 'Emu1'),
  ...named(vmNioHandlers(emulation, 'machine'), 'Emu1'),
  ...named(nicHandlers(emulation, 'machine'), 'Emu1'),
  ...named(captureHandlers(emulation, 'machine'), 'Emu1'),
  ...named(consoleHandlers(emulation, 'machine'), 'Emu1'),
  ...named(applianceHandlers(emulation), 'Emu1'),
  ...named(instanceHandlers(emulation, routerWire), 'Emu2'),
  ...named(lifecycleHandlers(emulation, 'router'), 'Emu2'),
  ...named(resourceHandlers(emulation, 'router'), 'Emu2'),
  ...named(vmNioHandlers(emulation, 'router'), 'Emu2'),
  ...named(nicHandlers(emulation, 'router'), 'Emu2'),
  ...named(captureHandlers(emulation, 'router'), 'Emu2'),
  ...named(consoleHandlers(emulation, 'router'), 'Emu2'),
  ...named(routerHandlers(emulation), 'Emu2'),
  ...named(instanceHandlers(emulation, virtualPcWire), 'Emu3'),
  ...named(lifecycleHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(resourceHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(vmNioHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(nicHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(captureHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(consoleHandlers(emulation, 'virtual-pc'), 'Emu3'),
  ...named(instanceHandlers(emulation, desktopVmWire), 'Emu4'),
  ...named(lifecycleHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(suspensionHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(resourceHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(vmNioHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(nicHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(captureHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(consoleHandlers(emulation, 'desktop-vm'), 'Emu4'),
  ...named(instanceHandlers(emulation, ethernetSwitchWire), 'Emu5'),
  ...named(deviceNioHandlers(emulation), 'Emu5'),
  ...named(nicHandlers(emulation, 'ethernet-switch'), 'Emu5'),
  ...named(captureHandlers(emulation, 'ethernet-switch'), 'Emu5'),
  ...named(switchHandlers(emulation), 'Emu5'),
  ...named(instanceHandlers(emulation, natWire), 'Nat'),
  ...named(lifecycleHandlers(emulation, 'nat'), 'Nat'),
  ...named(resourceHandlers(emulation, 'nat'), 'Nat'),
  ...named(vmNioHandlers(emulation, 'nat'), 'Nat'),
  ...named(nicHandlers(emulation, 'nat'), 'Nat'),
  ...named(captureHandlers(emulation, 'nat'), 'Nat'),
  ...named(instanceHandlers(emulation, cloudWire), 'Cloud'),
  ...named(lifecycleHandlers(emulation, 'cloud'), 'Cloud'),
  ...named(vmNioHandlers(emulation, 'cloud'), 'Cloud'),
  ...named(nicHandlers(emulation, 'cloud'), 'Cloud'),
  ...named(captureHandlers(emulation, 'cloud'), 'Cloud'),
  ...named(instanceHandlers(emulation, containerWire), 'Container'),
  ...named(lifecycleHandlers(emulation, 'container'), 'Container'),
  ...named(suspensionHandlers(emulation, 'container'), 'Container'),
  ...named(resourceHandlers(emulation, 'container'), 'Container'),
  ...named(vmNioHandlers(emulation, 'container'), 'Container'),
  ...named(nicHandlers(emulation, 'container'), 'Container'),
  ...named(captureHandlers(emulation, 'container'), 'Container'),
  ...named(consoleHandlers(emulation, 'container'), 'Container'),
})
