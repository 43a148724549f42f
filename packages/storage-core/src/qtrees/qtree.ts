import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { Volume, VolumeReference } from '../volumes/volume.ts'

/** A directory at the top of a volume that a tree rule can limit. */
export interface Qtree {
  readonly svm: Svm
  readonly volume: VolumeReference
  /** From 1 to 4,994. 0 is the volume itself, whose name is empty. */
  readonly id: number
  /** Unique in its volume, at most 64 bytes of UTF-8. Empty for id 0. */
  readonly name: string
  /** Stored for clients. No volume backend applies it. */
  readonly securityStyle: SecurityStyle
  /** One to four octal digits read as a decimal number, such as the 755 of `chmod`. */
  readonly unixPermissions: number
  /** The name of an export policy. Stored for clients. No volume backend applies it. */
  readonly exportPolicy: string
}

/** A change of a qtree. Absent members stay unchanged. */
export type QtreeChange = Partial<Pick<Qtree, 'name' | 'securityStyle' | 'unixPermissions' | 'exportPolicy'>>

/** Returns a qtree with a name and default settings. */
export const qtreeOf = ({ uuid, name: volumeName, svm }: Volume, name: string): Omit<Qtree, 'id'> => ({
  svm,
  volume: { uuid, name: volumeName },
  name,
  securityStyle: 'unix',
  unixPermissions: 755,
  exportPolicy: 'default',
})

/** The kind of permissions that apply: of UNIX, of Windows, or of both. */
export type SecurityStyle = 'unix' | 'ntfs' | 'mixed'

export const securityStyles = ['unix', 'ntfs', 'mixed'] as const satisfies readonly SecurityStyle[]

/** The form of permissions: one to four octal digits. */
export const PERMISSIONS = /^[0-7]{1,4}$/

/** The maximum number of qtrees of a volume, including the volume itself. */
export const MAXIMUM_QTREES = 4995

/** The types of the fields of a qtree, and how they are read. */
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

/** The fields that queries and orders of qtrees can name. */
export type QtreeField = keyof typeof qtreeFields.fields
