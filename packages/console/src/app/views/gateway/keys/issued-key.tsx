import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { keyName } from './key-name.ts'
import type { Key } from './use-keys.ts'

/** A key as the gateway answers when it creates or rotates one. */
export interface IssuedKey extends Pick<Key, 'username' | 'name'> {
  readonly api_key: string
}

/** Shows a secret once: the server stores only its hash. The Escape key does not close the dialog. */
export function IssuedKeyDialog({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`Key ${keyName(issued)}`}>
      <p>Copy the key now. It is shown only once.</p>
      <code className="gateway-secret">{issued.api_key}</code>
      <div className="row">
        <CopyButton text={issued.api_key} what="the key" />
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
