/** A field in the form of an instance. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'lines' | 'number' | 'check'
  readonly hint?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  /** The only values of the field. */
  readonly choices?: readonly FieldChoice[]
  /** Values that are offered while the user types. Others are possible. */
  readonly suggestions?: readonly string[]
  /** Whether the field can be set only at the creation. */
  readonly isFixed?: boolean
  /** The heading that the field is folded under. @default the field is always shown */
  readonly group?: string
}

/** A value of a field that has only some. */
export interface FieldChoice {
  readonly value: string
  readonly label: string
}

/** The values of the form by the name of the field. */
export type FormValues = Readonly<Record<string, string | boolean>>

/** Returns choices that are shown as the values themselves. */
export const plainChoices = (values: readonly string[]): readonly FieldChoice[] =>
  values.map((value) => ({ value, label: value }))

/** Returns choices of values with a label each. */
export const labelledChoices = (labels: Readonly<Record<string, string>>): readonly FieldChoice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Returns a reader of texts. A field without one is empty. */
export const textReader = (values: FormValues) => (name: string) => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}
