import type { Arrangement } from './arrangement.ts'
import type { InstanceId } from './instance.ts'

/** A change of one instance's arrangement. Fields that are left out stay, `null` removes one. */
export interface ArrangementChange extends Nullable<Arrangement> {
  readonly id: InstanceId
}

type Nullable<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }
