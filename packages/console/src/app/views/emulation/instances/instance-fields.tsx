import { CheckField, SelectField, TextField } from '../../../components/field.tsx'
import type { FormField, FormValues } from './form-field.ts'

export interface InstanceFieldsProps {
  readonly fields: readonly FormField[]
  readonly values: FormValues
  readonly onChange: (values: FormValues) => void
}

/** Shows the fields of a form, and below them each group, folded. */
export function InstanceFields({ fields, values, onChange }: InstanceFieldsProps) {
  const groups = Map.groupBy(fields, ({ group }) => group)
  const show = (some: readonly FormField[] = []) =>
    some.map((field) => (
      <InstanceField
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        onChange={(value) => onChange({ ...values, [field.name]: value })}
      />
    ))
  return (
    <>
      {show(groups.get(undefined))}
      {[...groups].map(
        ([group, grouped]) =>
          group !== undefined && (
            // A browser shows what is wrong with a field only where it is not folded.
            <details
              key={group}
              className="field-group"
              onInvalidCapture={({ currentTarget }) => {
                currentTarget.open = true
              }}
            >
              <summary>{group}</summary>
              <div className="stack">{show(grouped)}</div>
            </details>
          ),
      )}
    </>
  )
}

interface InstanceFieldProps {
  readonly field: FormField
  readonly value: string | boolean
  readonly onChange: (value: string | boolean) => void
}

function InstanceField({ field, value, onChange }: InstanceFieldProps) {
  const { label, type, hint, required, min, max, choices = [], suggestions } = field
  if (type === 'check') return <CheckField label={label} checked={value === true} onChange={onChange} />
  const text = String(value)
  if (choices.length > 0) {
    const isKnown = text === '' || choices.some((choice) => choice.value === text)
    const options = isKnown ? choices : [{ value: text, label: text }, ...choices]
    return <SelectField label={label} hint={hint} value={text} onChange={onChange} options={options} />
  }
  return (
    <TextField
      label={label}
      hint={hint}
      value={text}
      onChange={onChange}
      type={type === 'number' ? 'number' : 'text'}
      autoComplete="off"
      {...(type === 'lines' && { rows: 3 })}
      {...(required !== undefined && { required })}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      {...(suggestions !== undefined && { suggestions })}
    />
  )
}
