import { expectOk } from '@trivium/http-client'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { errorMessage } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'

export function CreateWebhook({ onCreated }: { readonly onCreated: () => void }) {
  const storage = useStorage()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState<string>()
  const create = useAction(() => expectOk(storage.createWebhook({ body: { name, url } })), { quiet: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess: ({ records: [made] }) => {
        setUrl('')
        setName('')
        setSecret(made?.secret)
        onCreated()
      },
    })
  }
  return (
    <>
      <form className="storage-filter" aria-label="New webhook" onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} required />
        <TextField
          label="Address"
          placeholder="https://chat.example.com/hook"
          value={url}
          onChange={setUrl}
          required
          error={create.error ? errorMessage(create.error) : undefined}
        />
        <Button type="submit" kind="primary" busy={create.isPending}>
          Create
        </Button>
      </form>
      {secret !== undefined && (
        <Dialog title="Secret of the webhook">
          <p>The receiver verifies signatures by it. Copy it now. It is shown only once.</p>
          <code className="storage-secret">{secret}</code>
          <div className="row">
            <CopyButton text={secret} what="the secret" />
            <Button kind="primary" onClick={() => setSecret(undefined)}>
              I have copied it
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
