// What the HTTP servers of Bun and Deno do themselves, before or after the adapter. docs/deployment.md lists it for users.

const everywhere = {
  'get-body': 'a web-standard request of GET has no body',
  sockets: 'fetchSockets needs a server of node:http',
  closing: 'closeServer needs a server of node:http',
}

/** Gives several titles the same reason. */
const because = (reason, ...titles) => Object.fromEntries(titles.map((title) => [title, reason]))

const inBoth = {
  ...because('RFC 9110 allows a server to accept it', 'gets a 400 and its connection is closed: one length twice'),
  ...because(
    'the server bounds no extensions of chunks',
    'gets its connection closed, and other connections are served: many chunk extensions',
  ),
}

export const exceptions = {
  bun: {
    except: { ...everywhere, 'queued-request-abort': 'Bun does not report it for queued requests' },
    exceptTests: {
      ...inBoth,
      ...because(
        'Bun resolves the dots and backslashes of a path before it creates the Request',
        'matches no normalised path for /bare/../things/mine',
        'matches no normalised path for /things/./mine',
        'matches no normalised path for /things/x/%2e%2e/mine',
        'matches no normalised path for /things/x/%2E./mine',
        'matches no normalised path for /bare\\..\\things\\mine',
        'matches no normalised path for /things\\mine',
        'matches no normalised path for /../prefix/things/mine',
        'matches no normalised path for /%2e%2e/%2e%2e/%2e%2e/host',
      ),
      ...because(
        'Bun sends the status with the first byte of the body',
        'send their status before the first event when they commit immediately',
        'relay bytes as they arrive',
      ),
      ...because(
        'Bun closes the connection when a request arrives before the answer to the one before it',
        'answer pipelined requests in their order',
      ),
      ...because(
        'Bun answers with 505 or closes the connection',
        'gets a 400: "GET /under/a/prefix/things/a\\tHTTP/1.1"',
        'gets a 400: "get /under/a/prefix/things/a HTTP/1.1"',
        'gets a 400: "GET /under/a/prefix/things/a HTTP/9.9"',
        'gets a 400: "GET /under/a/prefix/th ings/a HTTP/1.1"',
      ),
    },
  },
  deno: {
    except: { ...everywhere, 'queued-request-abort': 'Deno reads a request when the one before it is answered' },
    exceptTests: {
      ...inBoth,
      ...because(
        'Deno closes the connection where a body is not read to its end',
        'get a 413, and the connection stays usable',
        'get a 413 when they arrive in chunks, and the connection stays usable',
        'get a 413 for a longer announced length, and the connection stays usable',
        'get a 413 while they are read, and the connection stays usable',
        'keep the connection usable when the handler leaves a part unread (first)',
        'keep the connection usable when the handler leaves a part unread (unread)',
        'keep the connection usable when the handler leaves a part unread (fault)',
      ),
      ...because(
        'Deno does not end a body whose client disconnects while it is read in parts',
        'end with an error when the client disconnects ("content-length: 100\\r\\n")',
        'end with an error when the client disconnects ("transfer-encoding: chunked\\r\\n")',
      ),
      ...because(
        'Deno reports the failed body before it aborts the signal',
        'reports no fault when the client disconnects while it sends',
      ),
      ...because(
        'Deno answers with the version HTTP/1.0',
        'reach HTTP/1.0 clients until the connection closes (/events/two)',
        'reach HTTP/1.0 clients until the connection closes (/events/relay-two)',
      ),
      ...because(
        'Deno closes the connection without an answer',
        'gets a 400 and its connection is closed: an invalid chunk size',
        'gets a 400 and its connection is closed: a negative chunk size',
        'gets a 400 and its connection is closed: a chunk size beyond all numbers',
        'gets a 400 and its connection is closed: a chunk longer than its size',
        'gets a 400 and its connection is closed: a chunk size before a bare line feed',
        'gets a 400 and its connection is closed: a chunk extension with a bare line feed',
      ),
      ...because(
        'Deno appends the path to the host before it creates the Request: no route has the path',
        'never repeats the host "evil.example/x"',
      ),
      ...because(
        'Deno accepts a method in lower case, which is another method',
        'gets a 400: "get /under/a/prefix/things/a HTTP/1.1"',
      ),
      ...because(
        'Deno answers with 400',
        'gets a 431, and other connections are served: a header',
        'gets a 431, and other connections are served: ten thousand headers',
        'gets a 431, and other connections are served: a path',
        'gets a 431, and other connections are served: a query',
      ),
      ...because(
        'the server bounds no trailing headers',
        'gets its connection closed, and other connections are served: a trailing header',
        'gets its connection closed, and other connections are served: trailing headers',
      ),
    },
  },
}
