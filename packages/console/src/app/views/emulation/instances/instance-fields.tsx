import { CheckField, SelectField, TextField } from '../../../components/field.tsx'
import type { FormField, FormValues } from './instance-form.ts'

export interface InstanceFieldsProps {
  readonly fields: readonly FormField[]
  readonly values: FormValues
  readonly onChange: (values: FormValues) => void
}

export const InstanceFields = ({ fields, values, onChange }: InstanceFieldsProps) =>
  fields.map((field) => (
    <InstanceField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  ))

interface InstanceFieldProps {
  readonly field: FormField
  readonly value: string | boolean
  readonly onChange: (value: string | boolean) => void
}

function InstanceField({ field, value, onChange }: InstanceFieldProps) {
  const { label, type, hint, required, min, max, choices } = field
  if (type === 'check') return <CheckField label={label} checked={value === true} onChange={onChange} />
  const text = String(value)
  if (choices && choices.length > 0) {
    const all = choices.includes(text) || text === '' ? choices : [text, ...choices]
    const options = all.map((choice) => ({ value: choice, label: choice }))
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
    />
  )
}
