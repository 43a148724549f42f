import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { type Key, keyName } from './use-keys.ts'

export interface IssuedKey extends Pick<Key, 'username' | 'name'> {
  readonly api_key: string
}

/** The only time that a secret is shown: the server keeps none. No key closes it by accident. */
export function IssuedKeyDialog({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`Key ${keyName(issued)}`}>
      <p>Copy it now: it is shown this once, and cannot be read again.</p>
      <code className="gateway-secret">{issued.api_key}</code>
      <div className="row">
        <CopyButton text={issued.api_key} what="the key" />
        <Button kind="primary" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  )
}
