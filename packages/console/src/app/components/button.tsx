import type { ButtonHTMLAttributes } from 'react'
import './button.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** @default 'plain' */
  readonly kind?: 'primary' | 'plain' | 'danger'
  /** Shows that the action runs, and ignores further clicks. @default false */
  readonly busy?: boolean
}

export function Button({
  kind = 'plain',
  busy = false,
  type = 'button',
  className = '',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${kind} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    />
  )
}
