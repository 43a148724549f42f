import { RefusalError } from '@trivium/http-client'
import { TextField } from '../../../components/field.tsx'

/** The texts of the form: `10M`; `-` or an empty text for no limit. */
export interface LimitTexts {
  readonly spaceHard: string
  readonly spaceSoft: string
  readonly filesHard: string
  readonly filesSoft: string
}

export const noLimits: LimitTexts = { spaceHard: '', spaceSoft: '', filesHard: '', filesSoft: '' }

const fields = [
  {
    key: 'spaceHard',
    label: 'Space, hard limit',
    target: 'space.hard_limit',
    hint: 'Bytes, or a number with a unit: 10M, 2TB',
  },
  { key: 'spaceSoft', label: 'Space, soft limit', target: 'space.soft_limit', hint: 'Warns only' },
  { key: 'filesHard', label: 'Files, hard limit', target: 'files.hard_limit', hint: 'A number of files' },
  { key: 'filesSoft', label: 'Files, soft limit', target: 'files.soft_limit', hint: 'Warns only' },
] as const

export interface LimitFieldsProps {
  readonly values: LimitTexts
  readonly onChange: (values: LimitTexts) => void
  /** The error of the last request. Its message is shown at the field that it names. */
  readonly error: Error | null
}

export function LimitFields({ values, onChange, error }: LimitFieldsProps) {
  return fields.map(({ key, label, target, hint }) => (
    <TextField
      key={key}
      label={label}
      hint={hint}
      placeholder="no limit"
      value={values[key]}
      onChange={(value) => onChange({ ...values, [key]: value })}
      error={error instanceof RefusalError && error.message.includes(target) ? error.message : undefined}
    />
  ))
}

/** Whether one of the fields shows the error. */
export const isLimitError = (error: Error | null): boolean =>
  error instanceof RefusalError && fields.some(({ target }) => error.message.includes(target))

/** Converts the texts to the fields of a request. An empty text becomes `-`, which removes a limit. */
export const limitsBody = ({ spaceHard, spaceSoft, filesHard, filesSoft }: LimitTexts) => ({
  space: { hard_limit: spaceHard || '-', soft_limit: spaceSoft || '-' },
  files: { hard_limit: filesHard || '-', soft_limit: filesSoft || '-' },
})
