import { TextField } from '../../../components/field.tsx'

/** As typed; an empty name or budget is none. */
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

/** What can be said of a key when it is made, and changed later. */
export function KeyFields({ values, onChange }: KeyFieldsProps) {
  const field = (key: keyof KeyTexts) => ({
    value: values[key],
    onChange: (value: string) => onChange({ ...values, [key]: value }),
  })
  return (
    <>
      <TextField label="Name" {...field('name')} placeholder="none" />
      <TextField label="Requests a minute" type="number" {...field('rateLimit')} required />
      <TextField label="Tokens a minute" type="number" {...field('tokensPerMinute')} placeholder="no limit" />
      <TextField label="Tokens a day" type="number" {...field('tokensPerDay')} placeholder="no limit" />
    </>
  )
}

export const keyBody = ({ name, rateLimit, tokensPerMinute, tokensPerDay }: KeyTexts) => ({
  name: name === '' ? null : name,
  rate_limit: Number(rateLimit),
  tokens_per_minute: tokensPerMinute === '' ? null : Number(tokensPerMinute),
  tokens_per_day: tokensPerDay === '' ? null : Number(tokensPerDay),
})
