import { SelectField } from '../../components/field.tsx'

export interface ModelFieldProps {
  readonly models: readonly { readonly id: string }[]
  /** The id of the model. When empty, the first model is shown. */
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

/** Returns the chosen model if it exists, otherwise the first. */
export const chosenModel = (models: readonly { readonly id: string }[], value: string): string =>
  (models.find(({ id }) => id === value) ?? models[0])?.id ?? ''
