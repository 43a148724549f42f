import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../shell/view.tsx'
import { chosenModel, ModelField } from '../model-field.tsx'
import { NoModels } from '../no-models.tsx'
import { useModels } from '../use-models.ts'
import { noParameters, ParameterFields } from './parameters.tsx'
import { useConversation } from './use-conversation.ts'

export function PlaygroundPage() {
  const models = useModels()
  return (
    <Loaded query={models}>
      {(all) => (all.length === 0 ? <NoModels title="No chat models" /> : <Playground models={all} />)}
    </Loaded>
  )
}

function Playground({ models }: { readonly models: readonly { readonly id: string }[] }) {
  const { messages, error, isAnswering, send, stop, clear } = useConversation()
  const [model, setModel] = useState('')
  const [parameters, setParameters] = useState(noParameters)
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setText('')
    void send(text, chosenModel(models, model), parameters)
  }
  return (
    <div className="gateway-playground">
      <Section
        title="Conversation"
        actions={
          <Button onClick={clear} disabled={isAnswering || messages.length === 0}>
            New conversation
          </Button>
        }
      >
        {messages.length === 0 && (
          <EmptyState title="No messages yet">Choose a model, write a message below, and send it.</EmptyState>
        )}
        <ol className="gateway-conversation" aria-live="polite" aria-busy={isAnswering}>
          {messages.map(({ role, content, note }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added.
            <li key={index} className={role}>
              <span className="visually-hidden">{role === 'user' ? 'You: ' : 'Model: '}</span>
              <div className="words">{content}</div>
              {note !== undefined && <div className="quiet">{note}</div>}
            </li>
          ))}
        </ol>
        {error !== undefined && <ErrorNote>{error}</ErrorNote>}
        <form className="stack" onSubmit={submit}>
          <TextField label="Message" rows={3} value={text} onChange={setText} required />
          <div className="row">
            <Button type="submit" kind="primary" disabled={isAnswering || text.trim() === ''}>
              Send
            </Button>
            <Button onClick={stop} disabled={!isAnswering}>
              Stop
            </Button>
          </div>
        </form>
      </Section>
      <Section title="Parameters">
        <ModelField models={models} value={model} onChange={setModel} />
        <ParameterFields values={parameters} onChange={setParameters} />
      </Section>
    </div>
  )
}
