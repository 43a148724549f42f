import type { QtreeField } from '../../qtrees/qtree.ts'
import type { WireFields } from '../collections/wire-field.ts'

/** The wire names of a qtree's fields. */
export const qtreeWireFields: WireFields<QtreeField> = {
  'svm.uuid': { field: 'svmUuid' },
  'svm.name': { field: 'svmName' },
  'volume.uuid': { field: 'volumeUuid' },
  'volume.name': { field: 'volumeName' },
  id: { field: 'id' },
  name: { field: 'name' },
  security_style: { field: 'securityStyle' },
  unix_permissions: { field: 'unixPermissions' },
  'export_policy.name': { field: 'exportPolicyName' },
}
