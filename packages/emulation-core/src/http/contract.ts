import { defineContract } from '@trivium/http-contract'
import { applianceOperations } from './appliances/appliance-operations.ts'
import { captureOperations } from './captures/capture-operations.ts'
import { consoleOperations } from './consoles/console-operations.ts'
import { diskImageOperations } from './disk-images/disk-image-operations.ts'
import { drawingOperations } from './drawings/drawing-operations.ts'
import { serverOperations } from './host/server-operations.ts'
import { instanceOperations } from './instances/instance-operations.ts'
import { lifecycleOperations, suspensionOperations } from './instances/lifecycle-operations.ts'
import { resourceOperations } from './instances/resource-operations.ts'
import { desktopVmWire } from './kinds/desktop-vm.ts'
import { ethernetSwitchWire } from './kinds/ethernet-switch.ts'
import { routerOperations, switchOperations } from './kinds/kind-extras.ts'
import { machineWire } from './kinds/machine.ts'
import { nodeOperations } from './kinds/node-operations.ts'
import { routerWire } from './kinds/router.ts'
import { virtualPcWire } from './kinds/virtual-pc.ts'
import { deviceNioOperations, nicOperations, vmNioOperations } from './links/nic-operations.ts'
import { named } from './named.ts'
import { labNodeOperations } from './nodes/node-operations.ts'
import { projectOperations } from './projects/project-operations.ts'
import { topologyOperations } from './topology/topology-operations.ts'

const labOperations = defineContract({
  ...projectOperations,
  ...labNodeOperations,
  ...topologyOperations,
  ...serverOperations,
  ...diskImageOperations,
  ...drawingOperations,
})

const vmOperations = defineContract({
  ...named(instanceOperations(machineWire), 'Emu1'),
  ...named(lifecycleOperations('machine'), 'Emu1'),
  ...named(suspensionOperations('machine'), 'Emu1'),
  ...named(resourceOperations('machine'), 'Emu1'),
  ...named(vmNioOperations('machine'), 'Emu1'),
  ...named(nicOperations('machine'), 'Emu1'),
  ...named(captureOperations('machine'), 'Emu1'),
  ...named(consoleOperations('machine'), 'Emu1'),
  ...named(applianceOperations, 'Emu1'),
  ...named(instanceOperations(routerWire), 'Emu2'),
  ...named(lifecycleOperations('router'), 'Emu2'),
  ...named(resourceOperations('router'), 'Emu2'),
  ...named(vmNioOperations('router'), 'Emu2'),
  ...named(nicOperations('router'), 'Emu2'),
  ...named(captureOperations('router'), 'Emu2'),
  ...named(consoleOperations('router'), 'Emu2'),
  ...named(routerOperations, 'Emu2'),
  ...named(instanceOperations(virtualPcWire), 'Emu3'),
  ...named(lifecycleOperations('virtual-pc'), 'Emu3'),
  ...named(resourceOperations('virtual-pc'), 'Emu3'),
  ...named(vmNioOperations('virtual-pc'), 'Emu3'),
  ...named(nicOperations('virtual-pc'), 'Emu3'),
  ...named(captureOperations('virtual-pc'), 'Emu3'),
  ...named(consoleOperations('virtual-pc'), 'Emu3'),
  ...named(instanceOperations(desktopVmWire), 'Emu4'),
  ...named(lifecycleOperations('desktop-vm'), 'Emu4'),
  ...named(suspensionOperations('desktop-vm'), 'Emu4'),
  ...named(resourceOperations('desktop-vm'), 'Emu4'),
  ...named(vmNioOperations('desktop-vm'), 'Emu4'),
  ...named(nicOperations('desktop-vm'), 'Emu4'),
  ...named(captureOperations('desktop-vm'), 'Emu4'),
  ...named(consoleOperations('desktop-vm'), 'Emu4'),
  ...named(instanceOperations(ethernetSwitchWire), 'Emu5'),
  ...named(deviceNioOperations(), 'Emu5'),
  ...named(nicOperations('ethernet-switch'), 'Emu5'),
  ...named(captureOperations('ethernet-switch'), 'Emu5'),
  ...named(switchOperations, 'Emu5'),
})

// Three parts: written out as one object, the type is too long to declare.
/** Every operation, with paths that have the version `/v1`. `emulationRoutes` also serves the same paths without it. */
export const emulationContract: typeof labOperations & typeof vmOperations & typeof nodeOperations = {
  ...labOperations,
  ...vmOperations,
  ...nodeOperations,
}

/** The name of an operation, as access rules use it. */
export type EmulationOperation = keyof typeof emulationContract
