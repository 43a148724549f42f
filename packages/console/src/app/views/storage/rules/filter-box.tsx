import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'

const examples = [
  'type=tree',
  'space.hard_limit=>5G|null',
  'users.name=a*',
  'volume.name=vol1&type=user|group',
] as const

export interface FilterBoxProps {
  readonly applied: string
  readonly onApply: (filter: string) => void
}

/** Shows a field for a filter in the query language of the API, with examples. */
export function FilterBox({ applied, onApply }: FilterBoxProps) {
  const [text, setText] = useState(applied)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply(text.trim())
  }
  const choose = (filter: string) => {
    setText(filter)
    onApply(filter)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <div className="storage-filter">
        <TextField
          label="Filter"
          type="search"
          value={text}
          onChange={(value) => {
            setText(value)
            if (value === '') onApply('')
          }}
          placeholder="field=value&field=>5G|null"
          autoComplete="off"
        />
        <Button type="submit">Apply</Button>
      </div>
      <div className="storage-examples">
        {examples.map((example) => (
          <Button key={example} onClick={() => choose(example)}>
            {example}
          </Button>
        ))}
      </div>
    </form>
  )
}
