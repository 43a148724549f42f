import { RefusalError } from '@trivium/http-client'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorNote, errorMessage } from '../components/error-note.tsx'
import { TextField } from '../components/field.tsx'
import { openSession, type Session } from './session.ts'
import { storedPassword } from './stored-password.ts'
import './login.css'

export interface LoginProps {
  /** Why the last session ended; `undefined` at the first login and after a logout. */
  readonly reason: string | undefined
  readonly onOpen: (session: Session) => void
}

export function Login({ reason, onOpen }: LoginProps) {
  const [password, setPassword] = useState(storedPassword.read() ?? '')
  const [busy, setBusy] = useState(storedPassword.read() !== undefined)
  const [error, setError] = useState(reason)

  const open = async (given: string) => {
    setBusy(true)
    setError(undefined)
    try {
      const session = await openSession(given)
      storedPassword.write(given)
      onOpen(session)
    } catch (fault) {
      // A server that cannot be reached has not refused the password.
      if (fault instanceof RefusalError && fault.status === 401) storedPassword.remove()
      setError(errorMessage(fault))
      setBusy(false)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the password that the tab has kept.
  useEffect(() => {
    const stored = storedPassword.read()
    if (stored !== undefined) void open(stored)
  }, [])

  useEffect(() => {
    document.title = 'Log in · Trivium'
  }, [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void open(password)
  }

  return (
    <main className="login">
      <form className="panel stack" onSubmit={submit} aria-label="Log in">
        <h1>Trivium</h1>
        <p className="quiet">
          The server printed the admin password at its first start and stores it in its data directory. The console
          keeps it in this tab only.
        </p>
        {error !== undefined && <ErrorNote>{error}</ErrorNote>}
        <input
          className="visually-hidden"
          type="text"
          name="username"
          autoComplete="username"
          value="admin"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          label="Admin password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          required
          autoFocus
        />
        <Button kind="primary" type="submit" busy={busy}>
          Log in
        </Button>
      </form>
    </main>
  )
}
