import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { Field, TextField } from '../../../components/field.tsx'
import { formatBytes } from '../../../components/format.ts'
import { Progress } from '../../../components/progress.tsx'
import { Section } from '../../../shell/view.tsx'
import { type Upload, useUpload } from './use-upload.ts'

export function UploadSection() {
  const { upload, start, pause, forget } = useUpload()
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const [sha256, setSha256] = useState('')
  const isWrong = sha256 !== '' && !/^[\da-f]{64}$/i.test(sha256.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file && name !== '' && !isWrong) start({ file, name, sha256: sha256.trim().toLowerCase() })
  }
  if (upload && upload.state !== 'done') {
    return (
      <Section title="Upload">
        <UploadProgress upload={upload} onPause={pause} onContinue={() => start(upload)} onForget={forget} />
      </Section>
    )
  }
  return (
    <Section title="Upload">
      {upload && <p role="status">{upload.name} was uploaded and checked.</p>}
      <form className="stack" onSubmit={submit}>
        <Field label="File" hint="An unfinished upload continues when its file is chosen again">
          {(control) => (
            <input
              {...control}
              type="file"
              required
              onChange={({ target }) => {
                const [chosen] = target.files ?? []
                setFile(chosen)
                setName(chosen?.name ?? '')
              }}
            />
          )}
        </Field>
        <TextField label="Name on the server" value={name} onChange={setName} required autoComplete="off" />
        <TextField
          label="SHA-256"
          value={sha256}
          onChange={setSha256}
          autoComplete="off"
          placeholder="not compared"
          hint="The checksum that the vendor publishes. A file with another one is not kept"
          error={isWrong ? 'A SHA-256 has 64 hexadecimal digits.' : undefined}
        />
        <div className="row">
          <Button type="submit" kind="primary" disabled={!file || isWrong}>
            Upload
          </Button>
        </div>
      </form>
    </Section>
  )
}

interface UploadProgressProps {
  readonly upload: Upload
  readonly onPause: () => void
  readonly onContinue: () => void
  readonly onForget: () => void
}

function UploadProgress({ upload, onPause, onContinue, onForget }: UploadProgressProps) {
  const { name, file, state, receivedBytes, message } = upload
  const done = `${formatBytes(receivedBytes)} of ${formatBytes(file.size)}`
  return (
    <>
      <Progress label={`${name}: ${done}`} done={receivedBytes} total={file.size} />
      {state === 'failed' && (
        <ErrorNote>
          <p>{message}</p>
        </ErrorNote>
      )}
      <div className="row">
        {state === 'running' ? (
          <Button onClick={onPause}>Pause</Button>
        ) : (
          <>
            <Button kind="primary" onClick={onContinue}>
              Continue
            </Button>
            <Button onClick={onForget}>Choose another file</Button>
          </>
        )}
      </div>
    </>
  )
}
