import { RefusalError } from '@trivium/http-client'
import { TextField } from '../../../components/field.tsx'

/** The texts of the form: `10M`, `P7D`, `80, 95`; an empty text for none, and `-` for no limit. */
export interface LimitTexts {
  readonly spaceHard: string
  readonly spaceSoft: string
  readonly filesHard: string
  readonly filesSoft: string
  readonly gracePeriod: string
  readonly thresholds: string
}

export const noLimits: LimitTexts = {
  spaceHard: '',
  spaceSoft: '',
  filesHard: '',
  filesSoft: '',
  gracePeriod: '',
  thresholds: '',
}

const NO_LIMIT = 'no limit'

const SOFT = 'Warns, and is hard after a grace period'

const fields = [
  {
    key: 'spaceHard',
    label: 'Space, hard limit',
    target: 'space.hard_limit',
    hint: 'Bytes, or a number with a unit: 10M, 2TB',
    placeholder: NO_LIMIT,
  },
  { key: 'spaceSoft', label: 'Space, soft limit', target: 'space.soft_limit', hint: SOFT, placeholder: NO_LIMIT },
  {
    key: 'filesHard',
    label: 'Files, hard limit',
    target: 'files.hard_limit',
    hint: 'A number of files',
    placeholder: NO_LIMIT,
  },
  { key: 'filesSoft', label: 'Files, soft limit', target: 'files.soft_limit', hint: SOFT, placeholder: NO_LIMIT },
  {
    key: 'gracePeriod',
    label: 'Grace period of soft limits',
    target: 'grace_period',
    hint: 'P7D, PT12H, or seconds. Soft limits are hard after that time',
    placeholder: 'that of the volume',
  },
  {
    key: 'thresholds',
    label: 'Warnings',
    target: 'thresholds',
    hint: 'Percentages of the limit, with commas: 80, 95',
    placeholder: 'no warnings',
  },
] as const

export interface LimitFieldsProps {
  readonly values: LimitTexts
  readonly onChange: (values: LimitTexts) => void
  /** The error of the last request. Its message is shown at the field that it names. */
  readonly error: Error | null
}

export function LimitFields({ values, onChange, error }: LimitFieldsProps) {
  return fields.map(({ key, label, target, hint, placeholder }) => (
    <TextField
      key={key}
      label={label}
      hint={hint}
      placeholder={placeholder}
      value={values[key]}
      onChange={(value) => onChange({ ...values, [key]: value })}
      error={error instanceof RefusalError && error.message.includes(target) ? error.message : undefined}
    />
  ))
}

/** Whether one of the fields shows the error. */
export const isLimitError = (error: Error | null): boolean =>
  error instanceof RefusalError && fields.some(({ target }) => error.message.includes(target))

/** Converts the texts to the fields of a request. An empty text becomes `-`, which removes what was set. */
export const limitsBody = ({ spaceHard, spaceSoft, filesHard, filesSoft, gracePeriod, thresholds }: LimitTexts) => ({
  space: { hard_limit: spaceHard || '-', soft_limit: spaceSoft || '-' },
  files: { hard_limit: filesHard || '-', soft_limit: filesSoft || '-' },
  grace_period: gracePeriod || '-',
  thresholds: thresholds
    .split(',')
    .map((percent) => percent.trim())
    .filter((percent) => percent !== ''),
})
