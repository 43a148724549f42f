import type { ServerResponse } from 'node:http'
import type { Reply } from '../exchange.ts'
import { JSON_TYPE, noSniffing, releaseReply } from '../reply-without-body.ts'
import { writeRelay } from './write-relay.ts'
import { writeStream } from './write-stream.ts'

/**
 * Writes a reply to a response, in addition to the headers that the host has set on it. If the response is already
 * closed, only the source of the reply is closed.
 *
 * @param fail returns the failure to write instead of a reply that cannot be written, such as one with a line break in
 * a header
 */
export function writeReply(response: ServerResponse, reply: Reply, fail: (error: unknown) => Reply): void {
  if (response.destroyed || response.writableEnded) {
    releaseReply(reply)
    return
  }
  try {
    write(response, reply)
  } catch (error) {
    releaseReply(reply)
    if (response.headersSent) response.destroy()
    else writeFailure(response, reply, fail(error))
  }
}

function writeFailure(response: ServerResponse, refused: Reply, failure: Reply): void {
  removeHeaders(response, refused)
  try {
    write(response, failure)
  } catch {
    releaseReply(failure)
    removeHeaders(response, failure)
    response.writeHead(500, { 'content-length': 0 })
    response.end()
  }
}

function removeHeaders(response: ServerResponse, { headers }: Reply): void {
  for (const name of ['content-type', 'content-length', ...Object.keys(headers)]) response.removeHeader(name)
  response.statusMessage = ''
}

function write(response: ServerResponse, reply: Reply): void {
  const { status, headers } = reply
  switch (reply.kind) {
    case 'json': {
      const text: string | undefined = JSON.stringify(reply.value)
      if (text === undefined) writeEmpty(response, reply)
      else writeText(response, reply, text)
      return
    }
    case 'bytes':
      response.writeHead(status, { ...noSniffing, ...headers, 'content-length': Buffer.byteLength(reply.value) })
      response.end(reply.value)
      return
    case 'empty':
      writeEmpty(response, reply)
      return
    case 'stream':
      response.writeHead(status, { ...noSniffing, ...headers })
      void writeStream(response, reply.chunks)
      return
    case 'relay':
      response.writeHead(status, { ...noSniffing, ...headers })
      writeRelay(response, reply)
  }
}

function writeText(response: ServerResponse, { status, headers }: Reply, text: string): void {
  const own = { 'content-type': JSON_TYPE, ...noSniffing }
  response.writeHead(status, { ...own, ...headers, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function writeEmpty(response: ServerResponse, { status, headers }: Reply): void {
  const omitsLength = status === 204 || status === 304 || status < 200 || response.req.method === 'HEAD'
  response.writeHead(status, omitsLength ? headers : { 'content-length': 0, ...headers })
  response.end()
}
