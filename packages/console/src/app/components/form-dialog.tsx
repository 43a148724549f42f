import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

export interface FormDialogProps extends Omit<FormProps, 'otherActions'> {
  readonly title: string
  readonly onClose: () => void
}

/** Shows a form in a dialog. It has a Cancel button, except when `className` is set. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} otherActions={form.className === undefined && <Button onClick={onClose}>Cancel</Button>} />
    </Dialog>
  )
}
