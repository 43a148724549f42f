import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorNote, errorMessage } from '../../../components/error-note.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Progress } from '../../../components/progress.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { Section } from '../../../shell/view.tsx'
import { chosenModel, ModelField } from '../model-field.tsx'
import { NoModels } from '../no-models.tsx'
import { useImageModels } from '../use-models.ts'

const sizes = (['256x256', '512x512', '1024x1024'] as const).map((value) => ({ value, label: value }))

export function ImagesPage() {
  const models = useImageModels()
  return (
    <Loaded query={models}>
      {(all) => (all.length === 0 ? <NoModels title="No image models" /> : <Images models={all} />)}
    </Loaded>
  )
}

function Images({ models }: { readonly models: readonly { readonly id: string }[] }) {
  const gateway = useGateway()
  const [model, setModel] = useState('')
  const [prompt, setPrompt] = useState('')
  const [count, setCount] = useState('1')
  const [size, setSize] = useState<(typeof sizes)[number]['value']>('1024x1024')
  const generate = useAction(
    () =>
      expectOk(
        gateway.createImage({
          body: { prompt, model: chosenModel(models, model), n: Number(count), size, response_format: 'b64_json' },
        }),
      ),
    { quiet: true },
  )
  return (
    <Section title="Image generation">
      <Form
        className="gateway-fields"
        submitLabel="Generate images"
        onSubmit={() => generate.mutate()}
        busy={generate.isPending}
      >
        <div className="whole">
          <TextField label="Prompt" rows={3} value={prompt} onChange={setPrompt} required />
        </div>
        <ModelField models={models} value={model} onChange={setModel} />
        <TextField label="Number of images" type="number" min={1} max={10} value={count} onChange={setCount} required />
        <SelectField label="Size" value={size} onChange={setSize} options={sizes} />
      </Form>
      {generate.isPending && <Progress label="Generating the images" />}
      {generate.error && <ErrorNote>{errorMessage(generate.error)}</ErrorNote>}
      {generate.data && 'data' in generate.data ? (
        <div className="gateway-pictures">
          {generate.data.data.map(({ b64_json: image, revised_prompt: revised }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change.
            <img key={index} src={`data:image/png;base64,${image}`} alt={revised ?? prompt} />
          ))}
        </div>
      ) : (
        <EmptyState title="No images yet">Describe an image, and choose a model that generates it.</EmptyState>
      )}
    </Section>
  )
}
