import { defineContract } from '@trivium/http-contract'
import { captureOperations } from '../captures/capture-operations.ts'
import { consoleOperations } from '../consoles/console-operations.ts'
import { instanceOperations } from '../instances/instance-operations.ts'
import { lifecycleOperations, suspensionOperations } from '../instances/lifecycle-operations.ts'
import { resourceOperations } from '../instances/resource-operations.ts'
import { nicOperations, vmNioOperations } from '../links/nic-operations.ts'
import { named } from '../named.ts'
import { cloudWire } from './cloud.ts'
import { containerWire } from './container.ts'
import { natWire } from './nat.ts'

/** The operations of the kinds that the original does not have. */
export const nodeOperations = defineContract({
  ...named(instanceOperations(natWire), 'Nat'),
  ...named(lifecycleOperations('nat'), 'Nat'),
  ...named(resourceOperations('nat'), 'Nat'),
  ...named(vmNioOperations('nat'), 'Nat'),
  ...named(nicOperations('nat'), 'Nat'),
  ...named(captureOperations('nat'), 'Nat'),
  ...named(instanceOperations(cloudWire), 'Cloud'),
  ...named(lifecycleOperations('cloud'), 'Cloud'),
  ...named(vmNioOperations('cloud'), 'Cloud'),
  ...named(nicOperations('cloud'), 'Cloud'),
  ...named(captureOperations('cloud'), 'Cloud'),
  ...named(instanceOperations(containerWire), 'Container'),
  ...named(lifecycleOperations('container'), 'Container'),
  ...named(suspensionOperations('container'), 'Container'),
  ...named(resourceOperations('container'), 'Container'),
  ...named(vmNioOperations('container'), 'Container'),
  ...named(nicOperations('container'), 'Container'),
  ...named(captureOperations('container'), 'Container'),
  ...named(consoleOperations('container'), 'Container'),
})
