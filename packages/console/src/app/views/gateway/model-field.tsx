import { SelectField } from '../../components/field.tsx'

export interface ModelFieldProps {
  readonly models: readonly { readonly id: string }[]
  /** Empty: the first one. */
  readonly value: string
  readonly onChange: (id: string) => void
}

export const ModelField = ({ models, value, onChange }: ModelFieldProps) => (
  <SelectField
    label="Model"
    value={chosenModel(models, value)}
    onChange={onChange}
    options={models.map(({ id }) => ({ value: id, label: id }))}
  />
)

/** The model that is chosen, as long as it is there: the first one otherwise. */
export const chosenModel = (models: readonly { readonly id: string }[], value: string): string =>
  (models.find(({ id }) => id === value) ?? models[0])?.id ?? ''
