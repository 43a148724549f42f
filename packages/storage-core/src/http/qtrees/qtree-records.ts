import type { Storage } from '../../create-storage.ts'
import { type Qtree, type QtreeField, qtreeFields } from '../../qtrees/qtree.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import type { LinkTo } from '../links-from.ts'
import { svmToWire, volumeReference } from '../references.ts'
import { qtreeWireFields } from './qtree-fields.ts'

export const QTREES_PATH = '/api/storage/qtrees'

export const qtreePath = ({ volume, id }: Qtree): string => `${QTREES_PATH}/${volume.uuid}/${id}`

export const qtreeToWire = (qtree: Qtree, links: LinkTo | undefined): WireRecord => ({
  svm: svmToWire(qtree.svm, links),
  volume: volumeReference(qtree.volume, links),
  id: qtree.id,
  name: qtree.name,
  path: qtree.name === '' ? `/${qtree.volume.name}` : `/${qtree.volume.name}/${qtree.name}`,
  security_style: qtree.securityStyle,
  unix_permissions: qtree.unixPermissions,
  export_policy: { name: qtree.exportPolicy },
  ...(links && { _links: links(qtreePath(qtree)) }),
})

export function qtreeSource({ qtrees }: Storage): RecordSource<Qtree, QtreeField> {
  return {
    records: {
      path: QTREES_PATH,
      catalogue: qtreeFields,
      fields: qtreeWireFields,
      listed: ['svm', 'volume', 'id', 'name'],
      computed: new Set(['path']),
      absent: new Set([
        'user',
        'group',
        'qos_policy',
        'nas',
        'statistics',
        'metric',
        '_tags',
        'ext_performance_monitoring',
      ]),
    },
    list: (request) => asResult(qtrees.list(request)),
    count: (query) => asResult(qtrees.count(query)),
    toWire: (qtree, { links }) => qtreeToWire(qtree, links),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}
