/** Sends e-mail. */
export interface Mailer {
  /**
   * Sends a message. Resolves when a server has accepted it, and rejects otherwise: it is then sent again later. It must
   * give up within 60 seconds.
   */
  send(mail: Mail): Promise<void>
}

/** A message to one recipient. */
export interface Mail {
  /** The same for a message that is sent again, `[0-9a-f]{32}`. For the header `Message-ID`. */
  readonly id: string
  /** The address of the recipient. */
  readonly to: string
  readonly subject: string
  /** The body, plain text with `\n` at the ends of lines. */
  readonly text: string
}
