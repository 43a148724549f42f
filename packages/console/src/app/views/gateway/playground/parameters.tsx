import { TextField } from '../../../components/field.tsx'

/** The texts of the form. Empty means the default of the model. */
export interface Parameters {
  readonly system: string
  readonly temperature: string
  readonly topP: string
  readonly maxTokens: string
}

export const noParameters: Parameters = { system: '', temperature: '', topP: '', maxTokens: '' }

export interface ParametersProps {
  readonly values: Parameters
  readonly onChange: (values: Parameters) => void
}

export function ParameterFields({ values, onChange }: ParametersProps) {
  const set = (change: Partial<Parameters>) => onChange({ ...values, ...change })
  return (
    <>
      <TextField
        label="System prompt"
        rows={4}
        value={values.system}
        onChange={(system) => set({ system })}
        placeholder="none"
      />
      <TextField
        label="Temperature"
        type="number"
        step="any"
        value={values.temperature}
        onChange={(temperature) => set({ temperature })}
        placeholder="the model's default"
      />
      <TextField
        label="Top p"
        type="number"
        step="any"
        value={values.topP}
        onChange={(topP) => set({ topP })}
        placeholder="the model's default"
      />
      <TextField
        label="Maximum tokens of an answer"
        type="number"
        value={values.maxTokens}
        onChange={(maxTokens) => set({ maxTokens })}
        placeholder="the model's default"
      />
    </>
  )
}

/** Converts the texts to the fields of a request, without the system prompt. */
export const parametersBody = ({ temperature, topP, maxTokens }: Parameters) => ({
  ...(temperature !== '' && { temperature: Number(temperature) }),
  ...(topP !== '' && { top_p: Number(topP) }),
  ...(maxTokens !== '' && { max_completion_tokens: Number(maxTokens) }),
})
