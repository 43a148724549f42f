import { type ReactNode, useId } from 'react'
import './field.css'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** Why the value is wrong. */
  readonly error?: string | undefined
}

/** The attributes that connect a control to its label, its hint and its error. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

/** Shows a control with its label above, and its hint and error below. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <div className="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div className="error" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}

export interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** @default 'text' */
  readonly type?: 'text' | 'password' | 'number' | 'search'
  readonly required?: boolean
  readonly autoFocus?: boolean
  readonly autoComplete?: string
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  /** The number of lines of a text area. @default an input of one line */
  readonly rows?: number
  /** Values that are offered while the user types, in an input of one line. @default none */
  readonly suggestions?: readonly string[]
}

export function TextField({
  label,
  hint,
  error,
  onChange,
  type = 'text',
  rows,
  suggestions = [],
  ...rest
}: TextFieldProps) {
  const list = useId()
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        rows === undefined ? (
          <>
            <input
              {...rest}
              {...control}
              type={type}
              list={suggestions.length > 0 ? list : undefined}
              onChange={({ target }) => onChange(target.value)}
            />
            {suggestions.length > 0 && (
              <datalist id={list}>
                {suggestions.map((value) => (
                  <option key={value} value={value} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <textarea
            {...control}
            rows={rows}
            value={rest.value}
            required={rest.required}
            placeholder={rest.placeholder}
            disabled={rest.disabled}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}

export interface SelectFieldProps<Value extends string> extends FieldProps {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly disabled?: boolean
}

export function SelectField<Value extends string>({
  label,
  hint,
  error,
  value,
  onChange,
  options,
  disabled,
}: SelectFieldProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} disabled={disabled} onChange={({ target }) => choose(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export interface CheckFieldProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

export function CheckField({ label, checked, onChange, disabled }: CheckFieldProps) {
  return (
    <label className="check-field">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  )
}
