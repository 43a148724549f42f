import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { Volume, VolumeReference } from '../volumes/volume.ts'

/** A directory at the top of a volume that a tree quota can limit. */
export interface Qtree {
  readonly svm: Svm
  readonly volume: VolumeReference
  /** 0 is the volume itself, whose name is empty; others are 1 to 4,994. */
  readonly id: number
  readonly name: string
  readonly securityStyle: SecurityStyle
  /** Octal digits read as a decimal number, as chmod's 755. */
  readonly unixPermissions: number
  readonly exportPolicy: string
}

/** What to change; what is absent stays as it is. */
export type QtreeChange = Partial<Pick<Qtree, 'name' | 'securityStyle' | 'unixPermissions' | 'exportPolicy'>>

/** A qtree of which nothing is known but its name. */
export const qtreeOf = ({ uuid, name: volumeName, svm }: Volume, name: string): Omit<Qtree, 'id'> => ({
  svm,
  volume: { uuid, name: volumeName },
  name,
  securityStyle: 'unix',
  unixPermissions: 755,
  exportPolicy: 'default',
})

/** Whose permissions count: those of UNIX, of Windows, or of both. */
export type SecurityStyle = 'unix' | 'ntfs' | 'mixed'

export const securityStyles = ['unix', 'ntfs', 'mixed'] as const satisfies readonly SecurityStyle[]

/** The most qtrees of a volume, the one that is the volume itself included. */
export const MAXIMUM_QTREES = 4995

/** How each field of a qtree is typed and read. */
export const qtreeFields = defineFields<Qtree>()(
  {
    id: { type: 'integer', read: ({ id }) => id },
    name: { type: 'string', read: ({ name }) => name },
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    volumeName: { type: 'string', read: ({ volume }) => volume.name },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    securityStyle: { type: 'enum', values: securityStyles, read: ({ securityStyle }) => securityStyle },
    unixPermissions: { type: 'integer', read: ({ unixPermissions }) => unixPermissions },
    exportPolicyName: { type: 'string', read: ({ exportPolicy }) => exportPolicy },
  },
  ['volumeUuid', 'id'],
)

/** What queries and orders of qtrees can name. */
export type QtreeField = keyof typeof qtreeFields.fields
