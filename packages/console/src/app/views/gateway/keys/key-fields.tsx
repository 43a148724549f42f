import { TextField } from '../../../components/field.tsx'

/** The texts of the form. An empty name or budget means none. */
export interface KeyTexts {
  readonly name: string
  readonly rateLimit: string
  readonly tokensPerMinute: string
  readonly tokensPerDay: string
}

export interface KeyFieldsProps {
  readonly values: KeyTexts
  readonly onChange: (values: KeyTexts) => void
}

/** Shows the fields of a key that can be set at its creation and changed later. */
export function KeyFields({ values, onChange }: KeyFieldsProps) {
  const field = (key: keyof KeyTexts) => ({
    value: values[key],
    onChange: (value: string) => onChange({ ...values, [key]: value }),
  })
  return (
    <>
      <TextField label="Name" {...field('name')} placeholder="none" />
      <TextField label="Requests per minute" type="number" {...field('rateLimit')} required />
      <TextField label="Tokens per minute" type="number" {...field('tokensPerMinute')} placeholder="no limit" />
      <TextField label="Tokens per day" type="number" {...field('tokensPerDay')} placeholder="no limit" />
    </>
  )
}

/** Converts the texts to the fields of a request. */
export const keyBody = ({ name, rateLimit, tokensPerMinute, tokensPerDay }: KeyTexts) => ({
  name: name === '' ? null : name,
  rate_limit: Number(rateLimit),
  tokens_per_minute: tokensPerMinute === '' ? null : Number(tokensPerMinute),
  tokens_per_day: tokensPerDay === '' ? null : Number(tokensPerDay),
})
